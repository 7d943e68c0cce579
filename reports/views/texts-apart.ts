/**
 * Transcripts as a page holds them: urls, bodies and signatures in a list of their own. They repeat each other, and deflate finds only
 * what is near. The page's script joins them again, so that this file needs nothing of Node.
 */
import type { Exchange } from '../../results/conformance-result.js';

/** The transcripts of checks by their ids. */
export type Transcripts = readonly (readonly [id: string, transcript: readonly Exchange[]])[];

type Texts = readonly [url: string, body: string | null, signed: Exchange['signed'] | null, reply: string];

/** The same with empty texts, and the texts of each exchange in their order. */
export interface TextsApart {
  readonly rows: Transcripts;
  readonly texts: readonly Texts[];
}

/** Takes the texts out of transcripts. */
export function textsApart(transcripts: Transcripts): TextsApart {
  const texts = transcripts.flatMap(([, transcript]) =>
    transcript.map(({ request: { url, body }, response, signed }): Texts => {
      return [url, body ?? null, signed ?? null, response?.body ?? ''];
    }),
  );
  const rows = transcripts.map(([id, transcript]) => {
    const bare = transcript.map(({ request: { body: _, ...request }, response, signed: __, ...rest }): Exchange => {
      return { ...rest, request: { ...request, url: '' }, ...(response && { response: { ...response, body: '' } }) };
    });
    return [id, bare] as const;
  });
  return { rows, texts };
}

/** Puts them in again. */
export function textsJoined({ rows, texts }: TextsApart): Transcripts {
  let next = 0;
  return rows.map(([id, transcript]) => {
    const whole = transcript.map((exchange): Exchange => {
      const [url, body, signed, reply] = texts[next++] as Texts;
      const request = { ...exchange.request, url, ...(body !== null && { body }) };
      const response = exchange.response && { ...exchange.response, body: reply };
      return { ...exchange, request, ...(response && { response }), ...(signed !== null && { signed }) } as Exchange;
    });
    return [id, whole] as const;
  });
}
