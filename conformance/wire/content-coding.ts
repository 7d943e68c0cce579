/** Decodes the content codings of a reply within bounds of size and depth. Parsing the body is not its task. */
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';

const decoders: Readonly<Record<string, (body: Buffer, options: ZlibOptions) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Nobody encodes a body more often, and each time costs what the whole body costs. */
const CODINGS_MAX = 4;

/**
 * A body without its content codings: who names none that it takes, as the suite, may be sent any (RFC 9110, 12.5.3). Undefined
 * where it is longer than `bytesMax` then. Throws where it is not what its header says.
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
