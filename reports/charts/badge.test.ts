import { describe, expect, it } from 'vitest';
import { elementsOf, readXml, textOf } from '../../test/fixtures/markup-reader.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  hostileConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { badge } from './badge.js';

const { summary } = conformanceFixture();
const allHold = { ...summary, clauses: { ...summary.clauses, must: { total: 4, judged: 4, hold: 4, fail: 0 } } };

describe('badge', () => {
  it.each([
    ['only passes', cleanConformance(), '4 of 4 clauses pass', '#1f8a4c'],
    ['every verdict', conformanceFixture(), '2 clauses fail', '#c4302b'],
    ['one broken clause', hostileConformance(), '1 clause fails', '#c4302b'],
    ['known and flaky checks', standingConformance(), '2 clauses fail', '#c4302b'],
    [
      'a failed run in which all that the text says holds',
      conformanceFixture({ summary: allHold }),
      'not conformant',
      '#c4302b',
    ],
    ['no check', emptyConformance(), 'could not be judged', '#77808f'],
  ])('%s', (_, result, text, colour) => {
    const root = readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${badge(result)}`);
    expect(root.name).toBe('svg');
    expect(root.attributes.get('aria-label')).toBe(`AIPS conformance: ${text}`);
    const named = (name: string) => elementsOf(root).filter((element) => element.name === name);
    expect(named('text').map(textOf)).toEqual(['AIPS conformance', text]);
    expect(named('rect')[1]?.attributes.get('fill')).toBe(colour);
    const widths = named('rect').map(({ attributes }) => Number(attributes.get('width')));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(Number(root.attributes.get('width')));
  });
});
