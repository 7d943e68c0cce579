import { describe, expect, it } from 'vitest';
import { type DiffEffect, SPEC_DIFF_SCHEMA, type SpecDiff } from '../../results/spec-diff-result.js';
import { specDiffPage } from '../views/spec-diff-page.js';
import { specDiffMarkdown } from './spec-diff-markdown.js';
import { specDiffConsole, specDiffJson } from './spec-diff-text.js';
import { changedWords, differenceText, isEffect } from './spec-diff-view.js';

const effect: DiffEffect = {
  id: 'uptime.narrow_task',
  label: 'Uptime <b> | of narrow',
  unit: 'share',
  scenario: 'epoch-of-life',
  from: 0.5,
  to: 0.75,
  difference: 0.25,
  half_width: 0.01,
};

const diff: SpecDiff = {
  schema: SPEC_DIFF_SCHEMA,
  tool_version: '0.0.0',
  from: 'spec',
  to: 'change.yaml',
  numbers: [{ path: 'dms.missedAnchorsMax', unit: 'anchors', from: 60, to: 30 }],
  statements: { added: ['a.new'], removed: [], changed: [] },
  clauses: [{ id: 'dms.freeze', section: '3.1', text: 'Freezes <b> after 60.' }],
  errors: ['heartbeat/HEARTBEAT_TOO_SOON'],
  endpoints: ['GET /api/v1/status/:hash'],
  checks: ['dms/after-heartbeat'],
  mutants: ['dms/late'],
  findings: {
    appear: [{ id: 'class-cap/interval', severity: 'error', arithmetic: '61 | 60' }],
    worse: [{ id: 'outlived-right/passport', severity: 'error', arithmetic: '100 years', was: '24 hours' }],
    vanish: [{ id: 'early-default/sponsorship', severity: 'error', arithmetic: '100 < 1,666' }],
  },
  replicates: 8,
  seed: 1,
  effects: [
    effect,
    { ...effect, id: 'freezes', label: 'Freezes', unit: '', from: 0, to: 1, difference: 1, half_width: 2 },
  ],
  unmeasured: [{ scenario: 'complaints', reason: 'the margin is too long' }],
};

describe('a comparison of specifications', () => {
  it('tells an effect from chance by its interval', () => {
    expect([isEffect(effect), differenceText(effect)]).toEqual([true, '+25 points ± 1 points (+50 %)']);
    expect(differenceText({ ...effect, unit: '', from: 0, difference: 1, half_width: 2 })).toBe(
      '+1 ± 2, may be chance',
    );
    expect(differenceText({ ...effect, difference: 0, half_width: 0 })).toBe('none');
  });

  it('orders effects by their share of the value before, and puts last what may be chance', () => {
    const one = (id: string, from: number, difference: number, half_width: number): DiffEffect => ({
      ...effect,
      ...{ id, label: id, unit: '', from, to: from + difference, difference, half_width },
    });
    const effects = [
      one('Effect D', 9, 0, 0),
      one('Effect B', 100, 5, 1),
      one('Effect C', 1, 3, 4),
      one('Effect A', 10, -2, 1),
    ];
    for (const write of [specDiffConsole, specDiffMarkdown, specDiffPage])
      expect(write({ ...diff, effects }).match(/Effect [A-D](?=:| \||<\/h4>|<\/code>)/gu)).toEqual([
        ...['Effect A', 'Effect B', 'Effect C', 'Effect D'],
      ]);
  });

  it('marks the words of a text that differ', () => {
    expect(changedWords('Freezes after 60 missed anchors.', 'Freezes after 90 missed anchors.')).toEqual([
      ...['Freezes after', '60', '90', 'missed anchors.'],
    ]);
    expect(changedWords('One a a.', 'One a.')).toEqual(['One', 'a', '', 'a.']);
  });

  it('says which numbers a registry in use cannot change', () => {
    const epochs = { ...diff, numbers: [{ path: 'heartbeat.epochBeats', unit: 'beats', from: 100_000, to: 50_000 }] };
    for (const text of [specDiffConsole(epochs), specDiffMarkdown(epochs), specDiffPage(epochs)])
      expect(text).toContain('heartbeat.epochBeats: a registry in use cannot change it');
    expect(specDiffConsole(diff)).not.toContain('migration');
  });

  it('ends the interval of a share where the share would leave 0 to 1', () => {
    const high = { ...effect, from: 0.9, to: 0.95, difference: 0.05, half_width: 0.2 };
    expect(differenceText(high)).toBe('+5 points [-15 to 10 points] (+5.56 %), may be chance');
  });

  it('shows the text of a clause before and after, and what becomes worse, in every form', () => {
    const clauses = [{ id: 'dms.freeze', section: '3.1', text: 'Freezes after 60.', after: 'Freezes after 30.' }];
    for (const write of [specDiffConsole, specDiffMarkdown, specDiffPage, specDiffJson]) {
      const text = write({ ...diff, clauses });
      for (const said of ['Freezes after 60.', 'Freezes after 30.', '100 years', '24 hours'])
        expect(text.replace(/<\/?(?:del|ins)>/gu, '')).toContain(said);
    }
  });

  it('names every part on the console', () => {
    const text = specDiffConsole(diff);
    for (const said of [
      'spec → change.yaml: changed or touched: 1 number, 1 statement, 1 clause, 1 error, 1 endpoint, 1 check',
      '  dms.missedAnchorsMax: 60 → 30 anchors',
      '  3.1   dms.freeze: Freezes <b> after 60.',
      '  a.new',
      '  error class-cap/interval: 61 | 60',
      '  error outlived-right/passport: 100 years; before: 24 hours',
      '  Uptime <b> | of narrow: 50 % → 75 %, +25 points ± 1 points (+50 %)',
      '  complaints: the margin is too long',
    ])
      expect(text.split('\n')).toContain(said);
  });

  it('is Markdown whose tables hold what a text may contain', () => {
    const text = specDiffMarkdown(diff);
    expect(text).toContain('| Uptime <b> \\| of narrow | 50 % | 75 % | **+25 points ± 1 points (+50 %)** |');
    expect(text).toContain('| error | `class-cap/interval` | 61 \\| 60 |');
    expect(text).toContain('| error | `outlived-right/passport` | 100 years; before: 24 hours |');
    expect(text).toContain('**Not measured:** `complaints`: the margin is too long');
    expect(text.endsWith('|\n') || text.endsWith('long\n')).toBe(true);
  });

  it('is one page with one figure for each effect', () => {
    const text = specDiffPage(diff);
    expect(text.match(/<figure /g)).toHaveLength(2);
    expect(text).toContain('Uptime &lt;b> | of narrow');
    expect(text).not.toContain('Uptime <b>');
    expect(specDiffPage(diff)).toBe(text);
    expect(specDiffPage({ ...diff, replicates: 0, effects: [], unmeasured: [] })).not.toContain('Effects on people');
  });

  it('is JSON that reads back', () => {
    expect(JSON.parse(specDiffJson(diff))).toEqual(diff);
  });
});
