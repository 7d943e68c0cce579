/**
 * Reads request bodies as JSON and refuses what is too large, of another type, malformed or too deep (D-33, D-40). The
 * fields of a body are checked by request-schema.ts.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { jsonDeeperAt } from '../../../spec/formats.js';
import { type Refusal, refuse } from '../../registry/refusal.js';

/** JSON that nests deeper is refused, since later code walks it recursively. 4 KB of metadata can nest to 2,048. */
const DEPTH_MAX = 2_100;

/** Readers of encoded bodies, by the size that they accept. */
const decoders = new Map<number, RequestHandler>();

function decoderOf(bytesMax: number): RequestHandler {
  const known = decoders.get(bytesMax);
  if (known !== undefined) return known;
  const decoder = express.raw({ type: () => true, limit: bytesMax });
  decoders.set(bytesMax, decoder);
  return decoder;
}

/** The JSON value of a body, or the reason why there is none. */
type ReadJson = { readonly ok: true; readonly value: unknown } | Refusal;
export type ReadBody = { readonly ok: true; readonly value: Readonly<Record<string, unknown>> } | Refusal;

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
 * nesting.
 */
export function readJson(req: IncomingMessage, res: ServerResponse, bytesMax: number): Promise<ReadJson> {
  return new Promise((resolve) => {
    const tooLarge = (): void => {
      hangUpUnlessDone(req, res);
      resolve(refuse('any/BODY_TOO_LARGE', `the body is larger than ${bytesMax} bytes`));
    };
    const plain = req.headers['content-encoding'] === undefined;
    if (Number(req.headers['content-length'] ?? 0) > bytesMax) return tooLarge();
    let bytes = 0;
    let chunks: Buffer[] = [];
    // The reader would wait for the end of a body that it has refused, and a client may never send one.
    req.on('data', (chunk: Buffer) => {
      if (bytes <= bytesMax && bytes + chunk.length > bytesMax) tooLarge();
      bytes += chunk.length;
      // What comes after the refusal is read, so that the client sees it, and not kept.
      if (bytes > bytesMax) chunks = [];
      else if (plain) chunks.push(chunk);
    });
    const done = (body: Buffer): void => resolve(parseBody(req.headers['content-type'], body));
    const unread = (error: unknown): void => resolve(refuseRead(error, bytesMax));
    if (!plain) return decode(req, res, bytesMax, done, unread);
    req.once('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.once('error', unread);
    // A client that leaves ends nothing.
    req.once('close', () => req.complete || unread(undefined));
  });
}

/** Reads a body with a Content-Encoding, as far as it does not become too large. */
function decode(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  done: (body: Buffer) => void,
  unread: (error: unknown) => void,
): void {
  decoderOf(bytesMax)(req as Request, res as Response, (error?: unknown) => {
    const { body } = req as Request;
    if (error !== undefined) unread(error);
    else done(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  });
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

function refuseRead(error: unknown, bytesMax: number): Refusal {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return refuse('any/BODY_TOO_LARGE', `the body is larger than ${bytesMax} bytes`);
  if (type === 'encoding.unsupported')
    return refuse('any/CONTENT_TYPE_REQUIRED', 'this Content-Encoding is not supported');
  return refuse('any/INVALID_JSON', 'the body could not be read to its end');
}

function parseBody(contentType: string | undefined, bytes: Buffer): ReadJson {
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
    value = JSON.parse(text);
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
