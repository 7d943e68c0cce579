/** The form of a journal's lines: JSON objects, each chained to all before it by a hash. Files and the effects of commands are elsewhere. */
import { hash } from 'node:crypto';
import type { Command } from './command.js';

/** The number of this form. Another one is refused. */
export const FORMAT = 2;

/** The service that a journal belongs to: everything that decides how commands act, but the time. */
export type Owner = Readonly<Record<string, unknown>>;

/** Which rules a service goes by: two with the same `rules` lead every journal to the same state. */
export interface Build {
  /** The version of the package. */
  readonly version: string;
  /** A digest of the state that a fixed list of commands leads to. */
  readonly rules: string;
}

/** The first line of a segment. */
export interface Header extends Build {
  readonly format: typeof FORMAT;
  readonly owner: Owner;
  /** When the service of this journal started, Unix ms. */
  readonly start_ms: number;
  /** The number of the segment, from 1 on. */
  readonly segment: number;
  /** The sequence number of the first command that follows. */
  readonly first: number;
  /** The link of the last line of the segment before; `GENESIS` in the first. The line after this one follows that line. */
  readonly previous: string;
}

/** A line with an accepted command. */
interface CommandLine {
  readonly seq: number;
  readonly command: Command;
  /** A digest of the state that the command may have changed, which must be the same when it is applied again. */
  readonly state: string;
  /** On the first line of a write: commands below this number were on the disk when it was written. */
  readonly durable?: number;
}

/** A line with a checksum of the state after all commands below `check.seq`. */
interface CheckLine {
  readonly check: { readonly seq: number; readonly columns: string };
}

/** The link before the first line of a journal. */
export const GENESIS = '0'.repeat(64);

export type JournalLine = Header | CommandLine | CheckLine;

const LINK_KEY = ',"link":"';
const LINK_HEX = 64;
/** `,"link":"` + 64 hex + `"}` */
const TAIL = LINK_KEY.length + LINK_HEX + 2;

function linkOf(previous: string, body: string): string {
  return hash('sha256', `${previous}\n${body}`);
}

/** Writes a line, with its end, after one that had the link `previous`. */
export function encodeLine(previous: string, line: JournalLine): { readonly text: string; readonly link: string } {
  const body = JSON.stringify(line);
  const link = linkOf(previous, body);
  return { text: `${body.slice(0, -1)}${LINK_KEY}${link}"}\n`, link };
}

/** A line by its own word: whether its link holds depends on the line before. */
interface Spoken {
  readonly body: string;
  readonly link: string;
}

function spoken(text: string): Spoken | undefined {
  const at = text.length - TAIL;
  if (at < 1 || !text.startsWith(LINK_KEY, at) || !text.endsWith('"}')) return undefined;
  const link = text.slice(at + LINK_KEY.length, -2);
  return { body: `${text.slice(0, at)}}`, link };
}

/**
 * Reads a line without its end; undefined unless it is whole and follows a line with the link `previous`. The link is the
 * one that the next line follows.
 */
export function decodeLine(
  previous: string,
  text: string,
): { readonly line: JournalLine; readonly link: string } | undefined {
  const read = spoken(text);
  if (read === undefined || read.link !== linkOf(previous, read.body)) return undefined;
  // A line with the right link is the line that was written.
  const line = JSON.parse(read.body) as JournalLine;
  return { line, link: 'format' in line ? previous : read.link };
}

/**
 * The most commands that any line after a damaged one says were on the disk when it was written, if it is chained to a
 * line before it; -1 when none says so.
 */
export function durableByLaterLines(lines: Iterable<string>): number {
  let durable = -1;
  let before: Spoken | undefined;
  for (const text of lines) {
    const read = spoken(text);
    if (read !== undefined && before !== undefined && read.link === linkOf(before.link, read.body)) {
      const line = JSON.parse(read.body) as JournalLine;
      if ('command' in line) durable = Math.max(durable, line.durable ?? -1);
    }
    before = read;
  }
  return durable;
}
