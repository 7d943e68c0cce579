import { describe, expect, it } from 'vitest';
import { parseDurationSec, parseHashRate, parseLamports, parseRateGapSec } from './units.js';

describe('durations', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['60m', 3_600],
    ['6h', 21_600],
    ['14d', 1_209_600],
    ['2w', 1_209_600],
    ['1h30m', 5_400],
    ['1.5h', 5_400],
    ['0.1d', 8_640],
  ])('%s is %i seconds', (text, seconds) => expect(parseDurationSec(text)).toBe(seconds));

  it.each(['', '14', 'd', '14 d', '-1h', '1y', '500ms', '0.5s', '1e3s', '99999999999999999d'])(
    '%j is no duration',
    (text) => {
      expect(parseDurationSec(text)).toBeUndefined();
    },
  );
});

describe('money', () => {
  it.each([
    ['0 SOL', 0],
    ['0.5 SOL', 500_000_000],
    ['0.0005 SOL', 500_000],
    ['0.3 SOL', 300_000_000],
    ['1.000000001 SOL', 1_000_000_001],
    ['0.1000000000 SOL', 100_000_000],
    ['200 SOL', 200_000_000_000],
    ['5000 lamports', 5_000],
  ])('%s is %i lamports', (text, lamports) => expect(parseLamports(text)).toBe(lamports));

  it.each([
    '',
    '5',
    '0.5',
    '0.5SOL',
    '0.5 sol',
    '-1 SOL',
    '0.0000000001 SOL',
    '0.5 lamports',
    '10000000 SOL',
    '1e3 SOL',
  ])('%j is no amount', (text) => expect(parseLamports(text)).toBeUndefined());
});

describe('hash rates', () => {
  it.each([
    ['900 hashes/s', 900],
    ['350k hashes/s', 350_000],
    ['2M hashes/s', 2_000_000],
    ['1.5G hashes/s', 1_500_000_000],
  ])('%s is %i', (text, rate) => expect(parseHashRate(text)).toBe(rate));

  it.each(['', '2M', '2 M hashes/s', '2m hashes/s', '0 hashes/s', '-1 hashes/s', '2MH/s'])(
    '%j is no hash rate',
    (text) => {
      expect(parseHashRate(text)).toBeUndefined();
    },
  );
});

describe('rates of arrival', () => {
  it.each([
    ['200 per day', 432],
    ['12 per hour', 300],
    ['0.5 per minute', 120],
  ])('%s is one in %i seconds', (text, gap) => expect(parseRateGapSec(text)).toBe(gap));

  it.each(['', '200', '200/day', '0 per day', '5 per week', '-5 per day'])('%j is no rate', (text) => {
    expect(parseRateGapSec(text)).toBeUndefined();
  });
});
