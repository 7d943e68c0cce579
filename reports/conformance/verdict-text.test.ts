import { describe, expect, it } from 'vitest';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  lackingConformance,
} from '../../test/fixtures/results.js';
import { verdictText } from './verdict-text.js';

describe('a verdict in words', () => {
  it('is one of four, with the share that was judged', () => {
    const open = { ...cleanConformance(), clauses: conformanceFixture().clauses };
    expect(verdictText(cleanConformance())).toBe('Conformant: no failure; 100 % of the specification judged');
    expect(verdictText(open)).toBe('No failure in what was judged: 100 % of the specification');
    expect(verdictText(lackingConformance())).toBe(
      'Not conformant: 1 endpoint not there; 50 % of the specification judged',
    );
    expect(verdictText(emptyConformance())).toBe(
      'Could not judge: three refused connections in a row; 0 % of the specification judged',
    );
  });
});
