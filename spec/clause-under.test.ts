import { expect, it } from 'vitest';
import { changedNumbers } from './change.js';
import { clauseTextUnder } from './clause-under.js';
import { clauseById } from './clauses/index.js';
import { clausesOfNumber } from './numbers.js';
import { overlayOf, withOverlay } from './overlay.js';
import { protocol, protocolNumbers } from './protocol.js';

const under = (id: string, path: string, value: number): string | undefined =>
  clauseTextUnder(id, clauseById(id).text, changedNumbers(protocol, withOverlay(overlayOf(path, value))));

it('replaces the number that a text quotes', () => {
  expect(under('limit.flag.reporter', 'limits.flagReporter.count', 5)).toBe('One reporter can flag 5 times an hour.');
});

it('leaves a text alone that does not quote the number, or quotes it in two places', () => {
  expect(under('limit.flag.reporter', 'limits.flagReporter.windowSec', 60)).toBeUndefined();
  const change = changedNumbers(protocol, withOverlay(overlayOf('limits.flagReporter.count', 5)));
  expect(clauseTextUnder('limit.flag.reporter', '3 or 3', change)).toBeUndefined();
  expect(clauseTextUnder('limit.flag.reporter', '33 and 3.5 and 3', change)).toBe('33 and 3.5 and 5');
  expect(clauseTextUnder('limit.passport', '3', change)).toBeUndefined();
});

it('quotes a larger unit where the text does', () => {
  const change = [{ path: 'limits.flagReporter.windowSec', unit: 's', from: 3_600, to: 7_200 }];
  expect(clauseTextUnder('limit.flag.reporter', 'within 1 hour', change)).toBe('within 2 hours');
});

it('changes each form in which a text quotes the number', () => {
  expect(under('fee.reissuance', 'reissue.feeLamports', 4_000)).toContain('0.000004 SOL (4000 lamports)');
  // No larger unit has so little: the text says it in the smaller one.
  expect(under('fee.reissuance', 'reissue.feeLamports', 400)).toContain('400 lamports (400 lamports)');
  const change = [{ path: 'limits.flagReporter.windowSec', unit: 's', from: 300, to: 2 }];
  expect(clauseTextUnder('limit.flag.reporter', 'for 5 minutes (300 s)', change)).toBe('for 2 s (2 s)');
});

it('leaves no quote of a number as it was', () => {
  for (const { path, value } of protocolNumbers()) {
    for (const id of clausesOfNumber(path)) {
      const [now, was] = [under(id, path, value + 1), clauseById(id).text];
      const quotes = (text: string): number => text.split(new RegExp(`\\b${value}\\b`)).length - 1;
      if (now !== undefined && value > 9) expect([id, path, quotes(now)]).toEqual([id, path, 0]);
      if (now !== undefined) expect([id, now]).not.toEqual([id, was]);
    }
  }
});
