/** Reads files of traffic as streams: HAR and NDJSON of exchanges. The memory that it needs does not grow with them. */

import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isObject, jsonDeeperAt, jsonOf, notJson } from '../../spec/formats.js';
import { withoutCredentials } from '../../watch/assumed.js';
import { type Observed, withinBounds } from '../../watch/exchange.js';
import { harEntry, type Read } from '../../watch/har.js';
import { JsonItems, NotItems } from '../../watch/json-items.js';
import { type ExchangesHead, exchangeLine, exchangesHead, isHead } from '../../watch/ndjson.js';
import { Failure, fileReason, systemErrorCode } from '../host/failure.js';

/** No exchange of the protocol is nearly as long. */
const CHARS_MAX = 16_777_216;
const LEVELS_MAX = 200;
const PIECE_BYTES = 262_144;

/** An exchange, or the first line of a file of ours. */
type FileItem = Observed | ExchangesHead;

/** Whether an item is the first line of a file of exchanges. */
export function isExchangesHead(item: FileItem): item is ExchangesHead {
  return 'schema' in item;
}

/** The exchanges of a file, in its order. Throws a Failure with the place of what is wrong. */
export async function* exchangesIn(path: string): AsyncGenerator<FileItem> {
  const pieces = piecesOf(path);
  const first = await pieces.next();
  const start = first.done === true ? '' : first.value.replace(/^\uFEFF/, '');
  const isHar = /\.har$/i.test(path) || /^\s*\{\s*"log"\s*:/.test(start);
  const rest = (async function* () {
    yield start;
    yield* pieces;
  })();
  yield* isHar ? entriesOf(path, rest) : linesOf(path, rest);
}

/** The text of a file in pieces. */
async function* piecesOf(path: string): AsyncGenerator<string> {
  const name = path === '/dev/stdin' ? 'standard input' : path;
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }))
      yield decoder.write(piece as Buffer);
    yield decoder.end();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw new Failure(`${name}: there is no such file of traffic.`);
    throw new Failure(`${name}: this file of traffic cannot be read: ${fileReason(code, 'read')}.`);
  }
}

async function* entriesOf(path: string, pieces: AsyncIterable<string>): AsyncGenerator<Observed> {
  const items = new JsonItems(['log', 'entries'], { charsMax: CHARS_MAX, levelsMax: LEVELS_MAX });
  const marked = withoutCredentials();
  let nth = 0;
  try {
    for await (const piece of pieces)
      for (const { text, line } of items.add(piece)) {
        nth += 1;
        const place = `${path}, entry ${nth}`;
        const value = valueIn(text, place, { line, isFollowed: true });
        yield withinBounds(marked(readOrFail(harEntry(value, place), place)));
      }
    items.end();
  } catch (error) {
    if (!(error instanceof NotItems)) throw error;
    throw new Failure(`${path}: ${error.message}.`);
  }
}

async function* linesOf(path: string, pieces: AsyncIterable<string>): AsyncGenerator<FileItem> {
  // The beginning of a line in pieces: joining them with each new one would take the square of the time.
  let [rest, chars]: [string[], number] = [[], 0];
  let nth = 0;
  const read = (text: string, isFollowed: boolean): FileItem | undefined => {
    nth += 1;
    const place = `${path}:${nth}`;
    if (text.trim() === '') return undefined;
    if (jsonDeeperAt(text, LEVELS_MAX) !== undefined)
      throw new Failure(`${place}: nests deeper than ${LEVELS_MAX} levels.`);
    const value = valueIn(text, place, { isFollowed });
    if (isObject(value) && isHead(value)) return readOrFail(exchangesHead(value), place);
    return withinBounds(readOrFail(exchangeLine(value, `${path}, line ${nth}`), place));
  };
  for await (const piece of pieces) {
    const lines = piece.split('\n');
    const end = lines.pop() ?? '';
    for (const line of lines) {
      const item = read([...rest, line].join(''), true);
      [rest, chars] = [[], 0];
      if (item !== undefined) yield item;
    }
    rest.push(end);
    chars += end.length;
    if (chars > CHARS_MAX) throw new Failure(`${path}:${nth + 1}: is longer than ${CHARS_MAX} characters.`);
  }
  const last = read(rest.join(''), false);
  if (last !== undefined) yield last;
}

function valueIn(text: string, place: string, within: Parameters<typeof notJson>[1]): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new Failure(`${place}: ${notJson(text, within)}.`);
  return value;
}

function readOrFail<T>(read: Read<T>, place: string): T {
  if (read.ok) return read.value;
  throw new Failure(`${place}: ${read.key === '' ? '' : `${read.key} `}${read.message}.`);
}
