/**
 * Writes and reads `transcripts.ndjson.gz`: the transcripts of the checks that passed, so that `conformance.json` next to
 * it stays small. Those of all other checks are in `conformance.json` itself.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { type ConformanceResult, type Exchange, withoutTranscript } from '../../results/conformance-result.js';
import { TRANSCRIPTS_FILE } from './conformance-view.js';

/** A result without the transcripts of checks that passed, and these as a file. */
interface ApartTranscripts {
  readonly result: ConformanceResult;
  /** A line of JSON for each of these checks, `{check, transcript}`, compressed by gzip. */
  readonly file: Buffer;
}

/** Takes the transcripts of checks that passed out of a result. `transcripts` of the result names the file. */
export function apartTranscripts(result: ConformanceResult): ApartTranscripts {
  const passed = result.checks.filter(({ verdict, transcript }) => verdict === 'pass' && transcript.length > 0);
  const lines = passed.map(({ id, transcript }) => `${JSON.stringify({ check: id, transcript })}\n`);
  const checks = result.checks.map((check) => (check.verdict === 'pass' ? withoutTranscript(check) : check));
  return {
    result: { ...result, transcripts: TRANSCRIPTS_FILE, checks },
    file: gzipSync(lines.join(''), { level: 6 }),
  };
}

/** The result as it was before its transcripts were taken out. */
export function withTranscripts(result: ConformanceResult, file: Uint8Array): ConformanceResult {
  const lines = gunzipSync(file).toString('utf8').split('\n').slice(0, -1);
  const read = lines.map((line) => JSON.parse(line) as { check: string; transcript: readonly Exchange[] });
  const transcripts = new Map(read.map(({ check, transcript }) => [check, transcript]));
  const { transcripts: _, ...rest } = result;
  return {
    ...rest,
    checks: result.checks.map((check) => ({ ...check, transcript: transcripts.get(check.id) ?? check.transcript })),
  };
}
