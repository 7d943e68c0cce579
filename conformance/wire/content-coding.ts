/** Decodes the content codings of a reply within bounds of size and depth. Parsing the body is not its task. */
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';

const decoders: Readonly<Record<string, (body: Buffer, options: ZlibOptions) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** No server encodes a body more often, and each decoding costs as much as the whole body. */
const CODINGS_MAX = 4;

/**
 * A body without its content codings: a server may send any to a client that names none, such as the suite (RFC 9110, 12.5.3). Undefined if it is
 * then longer than `bytesMax`. Throws if it does not match its header.
 */
export function decoded(body: Buffer, codings: string | undefined, bytesMax: number): Buffer | undefined {
  if (body.length === 0) return body;
  const names = (codings ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (names.length > CODINGS_MAX) throw new Error(`the reply names ${names.length} content codings`);
  let plain = body;
  for (const name of names.toReversed()) {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decode === undefined) continue;
    try {
      plain = decode(plain, { maxOutputLength: bytesMax });
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
  return plain;
}
