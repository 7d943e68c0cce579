/** Decodes the content codings of a reply, within bounds of size and number of codings. It does not parse the body. */
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';

const decoders: Readonly<Record<string, (body: Buffer, options: ZlibOptions) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** More codings are refused: no server uses as many, and each decoding costs as much as the whole body. */
const CODINGS_MAX = 4;

/**
 * Decodes a body: a server may use any coding if the client, such as the suite, names none (RFC 9110, 12.5.3). Undefined if the decoded body is
 * longer than `bytesMax`. Throws if the body does not match its header.
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
