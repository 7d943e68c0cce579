import { describe, expect, it } from 'vitest';
import {
  compactText,
  countText,
  durationText,
  measureText,
  numberText,
  percentText,
  secondsText,
  solText,
  totalText,
} from './numbers.js';

describe('numberText', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [-1234567, '-1,234,567'],
    [9_007_199_254_740_991, '9,007,199,254,740,991'],
    [0.012345, '0.01235'],
    [12.5, '12.5'],
    [1234.5678, '1,234.568'],
    [1e21, '1e+21'],
    [Number.NaN, 'n/a'],
    [Number.POSITIVE_INFINITY, 'n/a'],
  ])('%d is %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});

describe('compactText', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [1000, '1k'],
    [1234, '1.23k'],
    [250_000, '250k'],
    [999_950, '1M'],
    [3_400_000, '3.4M'],
    [5.6e9, '5.6G'],
    [-1500, '-1.5k'],
    [0.25, '0.25'],
    [Number.NaN, 'n/a'],
  ])('%d is %s', (value, text) => {
    expect(compactText(value)).toBe(text);
  });
});

describe('units', () => {
  it.each([
    [500_000, '0.0005 SOL'],
    [50_000_000, '0.05 SOL'],
    [0, '0 SOL'],
    [1_234_567_891_000, '1,234.57 SOL'],
  ])('%d lamports are %s', (lamports, text) => {
    expect(solText(lamports)).toBe(text);
  });

  it.each([
    [0, '0 %'],
    [0.0123, '1.23 %'],
    [1, '100 %'],
    [Number.NaN, 'n/a'],
  ])('a share of %d is %s', (share, text) => {
    expect(percentText(share)).toBe(text);
  });

  it.each([
    [0, '0 ms'],
    [250, '250 ms'],
    [1000, '1 s'],
    [123_000, '2 min 3 s'],
    [3_600_000, '1 h'],
    [3_601_000, '1 h'],
    [108_000_000, '1 day 6 h'],
    [14 * 86_400_000, '14 days'],
  ])('%d ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it.each([
    [0.4321, '0.432 s'],
    [12.34, '12.3 s'],
    [200.2, '3 min 20 s'],
  ])('%d s of wall time are %s', (seconds, text) => {
    expect(secondsText(seconds)).toBe(text);
  });

  it.each([
    [2_000_000_000, 'lamports', '2 SOL'],
    [0.5, 'share', '50 %'],
    [60_000, 'ms', '1 min'],
    [1200, '', '1,200'],
    [12.5, 'agent-days', '12.5 agent-days'],
  ])('%d %s is %s', (value, unit, text) => {
    expect(measureText(value, unit)).toBe(text);
  });

  it.each([
    ['fees_lamports', 1e9, 'fees', '1 SOL'],
    ['frozen_share', 0.25, 'frozen share', '25 %'],
    ['simulated_ms', 1000, 'simulated', '1 s'],
    ['heartbeats_refused', 12, 'heartbeats refused', '12'],
    ['share', 2, 'share', '2'],
  ])('the total %s of %d is %s: %s', (name, total, label, value) => {
    expect(totalText(name, total)).toEqual({ label, value });
  });

  it.each([
    [1, '1 check'],
    [2, '2 checks'],
    [0, '0 checks'],
    [1500, '1,500 checks'],
  ])('%d checks read as %s', (count, text) => {
    expect(countText(count, 'check')).toBe(text);
  });
});
