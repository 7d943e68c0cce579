/**
 * Reads request bodies as JSON and refuses what is too large, of another type, malformed or too deep (D-33, D-40). The
 * fields of a body are checked by request-schema.ts.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { jsonDeeperAt } from '../../../spec/formats.js';
import { type Refusal, refuse } from '../../registry/refusal.js';
import { HeldBytes } from './held-bytes.js';

/** JSON that nests deeper is refused, since later code walks it recursively. 4 KB of metadata can nest to 2,048. */
const DEPTH_MAX = 2_100;

/** The bytes of incomplete bodies of all connections: 64 MiB. */
export const unfinishedBodies = new HeldBytes(67_108_864);

const NOTHING = Buffer.alloc(0);
const GROWN_BYTES_MIN = 1_024;

/** A body as far as it has come: in one buffer that grows, since a client may send it byte by byte. */
class ArrivingBody {
  #buffer: Buffer = NOTHING;
  #length = 0;

  constructor(
    private readonly socket: Socket,
    private readonly bytesMax: number,
    /** The Content-Length. Most bodies come whole, and are held no longer than it takes to read them. */
    private readonly bytesExpected: number,
  ) {}

  /** Whether the body is within its bound; a larger one is discarded. */
  get fits(): boolean {
    return this.#length <= this.bytesMax;
  }

  add(chunk: Buffer): void {
    const start = this.#length;
    this.#length += chunk.length;
    if (!this.fits) this.#hold(NOTHING);
    else if (chunk.length === this.bytesExpected) this.#buffer = chunk;
    else if (start === 0) this.#hold(chunk);
    else {
      if (this.#length > this.#buffer.length) this.#grow(start);
      chunk.copy(this.#buffer, start);
    }
  }

  #grow(length: number): void {
    const bytes = Math.min(this.bytesMax, Math.max(GROWN_BYTES_MIN, 2 * this.#length));
    const grown = Buffer.allocUnsafeSlow(bytes);
    this.#buffer.copy(grown, 0, 0, length);
    this.#hold(grown);
  }

  #hold(buffer: Buffer): void {
    this.#buffer = buffer;
    unfinishedBodies.set(this.socket, buffer.length);
  }

  /** Returns the whole body, and no longer counts its bytes as held. */
  take(): Buffer {
    const body = this.#buffer.subarray(0, this.#length);
    this.#hold(NOTHING);
    return body;
  }
}

/** The JSON value of a body, or the reason why there is none. */
type ReadJson = { readonly ok: true; readonly value: unknown } | Refusal;
type ReadBody = { readonly ok: true; readonly value: Readonly<Record<string, unknown>> } | Refusal;

/** Reads a body that must be a JSON object (D-33, D-40). Refuses by size, content type, syntax, nesting and shape. */
export async function readBody(req: IncomingMessage, res: ServerResponse, bytesMax: number): Promise<ReadBody> {
  const read = await readJson(req, res, bytesMax);
  if (!read.ok) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('any/INVALID_JSON', 'the body is not a JSON object');
  }
  return { ok: true, value: value as Record<string, unknown> };
}

/**
 * Reads a body that may be any JSON value; an empty body counts as `{}`. Refuses by size, content type, syntax and
 * nesting. `parse`: how numbers are read; as doubles, unless it says otherwise (D-47).
 */
export function readJson(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  parse: (text: string) => unknown = JSON.parse,
): Promise<ReadJson> {
  return new Promise((resolve) => {
    const refuseSize = (): void => {
      hangUpUnlessDone(req, res);
      resolve(tooLarge(bytesMax));
    };
    const bytesExpected = Number(req.headers['content-length'] ?? 0);
    if (bytesExpected > bytesMax) return refuseSize();
    const body = new ArrivingBody(req.socket, bytesMax, bytesExpected);
    req.on('data', (chunk: Buffer) => {
      const fitted = body.fits;
      body.add(chunk);
      // A client may never finish sending a body that is too large. The rest is read and discarded, so that the client sees the refusal.
      if (fitted && !body.fits) refuseSize();
    });
    const unread = (): void => {
      body.take();
      resolve(refuse('any/INVALID_JSON', 'the body could not be read to its end'));
    };
    req.once('end', () => {
      const decoded = decode(req.headers['content-encoding'], body.take(), bytesMax);
      resolve(Buffer.isBuffer(decoded) ? parseBody(req.headers['content-type'], decoded, parse) : decoded);
    });
    req.once('error', unread);
    // A client that disconnects never sends the end.
    req.once('close', () => req.complete || unread());
  });
}

function tooLarge(bytesMax: number): Refusal {
  return refuse('any/BODY_TOO_LARGE', `the body is larger than ${bytesMax} bytes`);
}

const decoders: Readonly<Record<string, (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A body without its Content-Encoding. */
function decode(encoding: string | undefined, body: Buffer, bytesMax: number): Buffer | Refusal {
  const name = encoding?.toLowerCase() ?? 'identity';
  if (name === 'identity' || body.length === 0) return body;
  if (!Object.hasOwn(decoders, name))
    return refuse('any/CONTENT_TYPE_REQUIRED', 'this Content-Encoding is not supported');
  try {
    return decoders[name]?.(body, { maxOutputLength: bytesMax }) ?? body;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(bytesMax);
    return refuse('any/INVALID_JSON', 'the body is not what its Content-Encoding says');
  }
}

/**
 * How long a client may take to finish a refused body. If the connection were cut at once, many would not see the
 * reply.
 */
const LINGER_MS = 1_000;

/**
 * Closes the connection after the reply, once the rest of the body has arrived or LINGER_MS have passed. A connection
 * that was to stay open does so if the rest arrives.
 */
function hangUpUnlessDone(req: IncomingMessage, res: ServerResponse): void {
  const stays = res.shouldKeepAlive;
  // Otherwise Node closes the connection together with the reply.
  res.shouldKeepAlive = true;
  const { socket } = req;
  res.once('finish', () => {
    const end = (): void => {
      clearTimeout(timer);
      if (!stays) socket.end();
    };
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    if (req.complete) end();
    else req.once('end', end);
    req.once('close', () => clearTimeout(timer));
  });
}

function parseBody(contentType: string | undefined, bytes: Buffer, parse: (text: string) => unknown): ReadJson {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    return refuse('any/CONTENT_TYPE_REQUIRED', 'send Content-Type: application/json');
  if (bytes.length === 0) return { ok: true, value: {} };
  // Bytes that are not UTF-8 would be replaced silently.
  if (!isUtf8(bytes)) return refuse('any/INVALID_JSON', 'the body is not UTF-8');
  const text = bytes.toString('utf8');
  if (jsonDeeperAt(text, DEPTH_MAX) !== undefined)
    return refuse('any/INVALID_JSON', `the body nests deeper than ${DEPTH_MAX} levels`);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse('any/INVALID_JSON', 'the body is not JSON');
  }
  if (holdsInfinity(value)) return refuse('any/INVALID_JSON', 'the body holds a number over the range of a double');
  return { ok: true, value };
}

/** Whether the value contains a number that JSON cannot write: 1e999 reads as Infinity. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity);
}
