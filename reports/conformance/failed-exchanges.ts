/** Finds the exchanges of a check that are evidence against clauses, with expected and actual values. Findings are made in conformance/judge. */

import type { ClauseEvidence, ConformanceResult, Exchange } from '../../results/conformance-result.js';
import type { Marks } from './curl.js';

/** The numbers of the exchanges of a transcript, from 1: a note counts the exchanges that it leaves out. */
export function numbersOf(transcript: readonly Exchange[]): readonly number[] {
  let n = 0;
  return transcript.map(({ left_out = 1 }) => {
    n += left_out;
    return n;
  });
}

/** The failures in each exchange of a check, by its place in the transcript from 0: against the text first. */
export function failedExchanges(
  { clauses }: Pick<ConformanceResult, 'clauses'>,
  check: string,
  transcript: readonly Exchange[],
): Marks {
  const against = clauses.flatMap(({ evidence }) => evidence.filter((one) => !one.ok && one.check === check));
  const ordered = against.toSorted((a, b) => Number(a.level === 'decision') - Number(b.level === 'decision'));
  const marks = new Map<number, string[]>();
  for (const [place, n] of numbersOf(transcript).entries()) {
    const said = new Set(ordered.filter((one) => one.n === n).map(wordsOf));
    if (said.size > 0) marks.set(place, [...said]);
  }
  return marks;
}

/** The transcript of a check up to the last exchange that failed; all of it where none did. */
export function untilFailed(transcript: readonly Exchange[], marks: Marks): readonly Exchange[] {
  return marks.size === 0 ? transcript : transcript.slice(0, Math.max(...marks.keys()) + 1);
}

/** A deviation in one line. */
export function wordsOf({
  level,
  about,
  expected = '',
  actual = '',
}: Pick<ClauseEvidence, 'level' | 'about' | 'expected' | 'actual'>): string {
  return `${level === 'must' ? 'failed' : 'decision not followed'}: ${about}: expected ${expected}, got ${actual}`;
}
