/** Shows where protocol time moved between the requests of a transcript. It does not show which check moved the shared clock. */

import type { Exchange } from '../../results/conformance-result.js';
import { durationText } from '../../results/numbers.js';

/** For each exchange by how many ms the clock was moved before it, or undefined where it was not. */
export function clockMovesMs(transcript: readonly Exchange[]): readonly (number | undefined)[] {
  let lastMs: number | undefined;
  return transcript.map(({ at }) => {
    const ms = at === undefined ? Number.NaN : Date.parse(at);
    if (Number.isNaN(ms)) return undefined;
    const beforeMs = lastMs;
    lastMs = ms;
    return beforeMs === undefined || ms <= beforeMs ? undefined : ms - beforeMs;
  });
}

/**
 * For each exchange the move of the clock before it, in words, or undefined where there was none; protocol time is known only
 * where the target has a clock that can be moved. `protocol time goes on by 10 min, to 2026-01-01T00:10:00.000Z`.
 */
export function clockMoves(transcript: readonly Exchange[]): readonly (string | undefined)[] {
  return clockMovesMs(transcript).map((ms, at) =>
    ms === undefined ? undefined : `protocol time goes on by ${durationText(ms)}, to ${transcript[at]?.at}`,
  );
}
