/**
 * Finds the items of a list in a JSON document that is read in pieces, such as `log.entries` of a HAR file of any length. It keeps one item at
 * a time, as text, which the caller parses. That is many times as fast as a parser that reports each value of the document.
 */

import { jsonFaultAt, notJson } from '../spec/formats.js';

/** A document that cannot be split; the message has words that follow its name. */
export class NotItems extends Error {}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = [...'"\\{}[],'].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number, number];

/** Bounds of one item, so that a document cannot fill the memory. */
interface Bounds {
  readonly charsMax: number;
  readonly levelsMax: number;
}

/** An item as text, and the line of the document at which it begins, from 1. */
interface Item {
  readonly text: string;
  readonly line: number;
}

/** Splits a document; `path`: the keys that lead to the list. Text is given in pieces to `add`, and `end` follows the last one. */
export class JsonItems {
  /** The text from the beginning of the current item or token on. */
  #text = '';
  #at = 0;
  /** The line at which that text begins, and where the current item begins in it. */
  #line = 1;
  #start = 0;
  /** `in`: within the list; `item`: within an item; `after`: the list has ended. */
  #place: 'before' | 'in' | 'item' | 'after' = 'before';
  /** The open objects and lists around the list. Each has the key under which it is; within a list that is undefined. */
  readonly #outer: { readonly isList: boolean; readonly key: string | undefined }[] = [];
  #key: string | undefined;
  #depth = 0;
  #isEmpty = true;
  #fault: NotItems | undefined;
  /** The number of items so far. */
  items = 0;

  constructor(
    readonly path: readonly string[],
    readonly bounds: Bounds,
  ) {}

  /** Takes the next piece, and returns the items that end in it. Throws NotItems, after the items before the fault. */
  add(piece: string): readonly Item[] {
    if (this.#fault !== undefined) throw this.#fault;
    const items: Item[] = [];
    try {
      this.#split(piece, items);
    } catch (error) {
      // The caller parses the items first: one that is broken may be the cause.
      if (!(error instanceof NotItems) || items.length === 0) throw error;
      this.#fault = error;
    }
    return items;
  }

  #split(piece: string, items: Item[]): void {
    this.#text += piece;
    if (this.#text.length > this.bounds.charsMax + piece.length)
      this.#fail(`is longer than ${this.bounds.charsMax} characters`);
    while (this.#at < this.#text.length) {
      const sign = this.#text.charCodeAt(this.#at);
      if (sign === QUOTE) {
        const end = textEnd(this.#text, this.#at + 1);
        if (end === -1) break;
        if (this.#place === 'in') this.#fail('is no object');
        if (this.#place !== 'item') this.#noteText(end);
        this.#at = end + 1;
      } else {
        if (this.#place === 'item') {
          if (sign === OPEN || sign === OPEN_LIST) this.#deeper(1);
          else if (sign === CLOSE || sign === CLOSE_LIST) this.#depth -= 1;
          if (this.#depth === 0) {
            items.push({ text: this.#text.slice(this.#start, this.#at + 1), line: this.#lineAt(this.#start) });
            this.items += 1;
            this.#place = 'in';
          }
        } else if (this.#place === 'in') {
          if (sign === OPEN) {
            this.#place = 'item';
            this.#depth = 1;
            this.#start = this.#at;
          } else if (sign === CLOSE_LIST) {
            this.#outer.pop();
            this.#place = 'after';
          } else if (sign > 32 && sign !== COMMA) this.#fail('is no object');
        } else this.#step(sign);
        this.#at += 1;
      }
    }
    // Everything before an item that has begun is dropped.
    const from = this.#place === 'item' ? this.#start : this.#at;
    this.#line = this.#lineAt(from);
    this.#start = 0;
    this.#text = this.#text.slice(from);
    this.#at -= from;
  }

  /** Ends the document. Throws NotItems if it is cut off, or lacks the list. */
  end(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isEmpty) this.#fail('is empty, and JSON was expected');
    if (this.#outer.length > 0 || this.#text !== '') this.#fail('is cut off: its JSON has no end');
    if (this.#place !== 'after') this.#fail(`has no list ${this.path.join('.')}`);
  }

  /** A sign outside of the list. */
  #step(sign: number): void {
    if (sign <= 32) return;
    const isFirst = this.#isEmpty;
    this.#isEmpty = false;
    if (this.#outer.length === 0 && !(isFirst && sign === OPEN))
      this.#fail(isFirst ? 'is no JSON object' : this.#broken());
    const inner = this.#outer.at(-1);
    if (sign === OPEN || sign === OPEN_LIST) {
      this.#outer.push({ isList: sign === OPEN_LIST, key: inner?.isList === true ? undefined : this.#key });
      if (this.#outer.length > this.bounds.levelsMax) this.#fail(`nests deeper than ${this.bounds.levelsMax} levels`);
      this.#key = undefined;
      const isHere = this.#outer.length === this.path.length + 1 && this.#place === 'before';
      if (isHere && sign === OPEN_LIST && this.path.every((key, at) => this.#outer[at + 1]?.key === key))
        this.#place = 'in';
    } else if (sign === CLOSE || sign === CLOSE_LIST) {
      if (this.#outer.pop()?.isList !== (sign === CLOSE_LIST)) this.#fail(this.#broken());
      this.#key = undefined;
    } else if (sign === COMMA) this.#key = undefined;
  }

  /** A text outside of the list: a key, if its object waits for one. */
  #noteText(end: number): void {
    if (this.#outer.length === 0) this.#fail('is no JSON object');
    if (this.#outer.at(-1)?.isList === false) this.#key ??= this.#text.slice(this.#at + 1, end);
  }

  #deeper(levels: number): void {
    this.#depth += levels;
    if (this.#depth > this.bounds.levelsMax) this.#fail(`nests deeper than ${this.bounds.levelsMax} levels`);
  }

  /** The line of a place in the text. */
  #lineAt(at: number): number {
    let line = this.#line;
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < at; end = this.#text.indexOf('\n', end + 1)) line += 1;
    return line;
  }

  #broken(): string {
    return `is not JSON: line ${this.#lineAt(this.#at)} breaks it`;
  }

  /** A fault of an item may follow from an earlier one: a lost quote turns the rest of the document into texts. */
  #fail(message: string): never {
    const isInList = this.#place === 'in' || this.#place === 'item';
    const item = this.#place === 'item' ? this.#text.slice(this.#start) : '';
    const isBroken = item !== '' && jsonFaultAt(item) < item.length;
    const why = isBroken ? notJson(item, { line: this.#lineAt(this.#start) }) : message;
    throw new NotItems(isInList ? `entry ${this.items + 1} ${why}` : why);
  }
}

/** The place of the quote that ends a text; -1 if it is not there yet. */
function textEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (before >= from && text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - 1 - before) % 2 === 0) return end;
  }
  return -1;
}
