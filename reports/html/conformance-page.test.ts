import { describe, expect, it } from 'vitest';
import { type Element, elementsOf, textOf } from '../../test/fixtures/markup-reader.js';
import { byClass, byName, expectGoodPage } from '../../test/fixtures/page-checks.js';
import {
  CHECKS,
  CLAUSES,
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  HOSTILE,
  hostileConformance,
  judged,
  standingConformance,
} from '../../test/fixtures/results.js';
import { visible } from '../visible.js';
import { conformancePage } from './conformance-page.js';

const text = conformancePage(conformanceFixture());
const elements = expectGoodPage(text);

function withId(id: string): Element {
  const found = elements.find(({ attributes }) => attributes.get('id') === id);
  if (found === undefined) throw new Error(`no element ${id}`);
  return found;
}

describe('conformancePage', () => {
  it.each([
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['hostile text', hostileConformance()],
  ])('is a good page with %s', (_, result) => {
    expectGoodPage(conformancePage(result));
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const standing = expectGoodPage(conformancePage(standingConformance()));
    const facts = byClass(standing, 'facts').map(textOf);
    expect(facts.some((fact) => fact.includes('knownuntil 2026-12-31: the interval is being reworked'))).toBe(true);
    expect(facts.some((fact) => fact.includes('flakyseed 7 pass, seed 8 advisory'))).toBe(true);
    expect(facts.some((fact) => fact.includes('flakyseed 7 pass, seed 8 inconclusive'))).toBe(true);
    const notes = byClass(standing, 'note').map(textOf);
    expect(notes).toContain('Baseline: heartbeat/accepted passes again: take it off the list');
  });

  it('says first how much was judged', () => {
    const [lead] = byClass(elements, 'lead');
    expect(lead === undefined ? '' : textOf(lead)).toBe(
      'http://127.0.0.1:8787: 7 of 15 clauses judged: 4 hold, 3 do not.',
    );
  });

  it('has every section in order, open where something does not hold', () => {
    const sections = byClass(elements, 'section').map(({ attributes }) => [
      attributes.get('id'),
      attributes.has('open'),
    ]);
    expect(sections).toEqual([
      ['section-1', false],
      ['section-2.5', false],
      ['section-2.9', false],
      ['section-2.10', false],
      ['section-3.1', false],
      ['section-4.1', false],
      ['section-4.2', false],
      ['section-4.5', true],
      ['section-4.10', false],
      ['section-4.18', false],
    ]);
    expect(textOf(withId('section-4.5'))).toContain('4 clauses: 1 holds, 3 do not hold');
  });

  it('has every clause with its id, level, text and state', () => {
    const labels = { holds: 'holds', fails: 'does not hold', 'not-judged': 'not judged', excluded: 'excluded' };
    for (const clause of CLAUSES) {
      const shown = textOf(withId(`clause-${clause.id}`));
      for (const part of [clause.id, clause.level, clause.text, labels[clause.state]]) expect(shown).toContain(part);
    }
    expect(textOf(withId('clause-service.preview'))).toContain(
      'No black-box check can judge it: a permission binds nobody',
    );
    expect(textOf(withId('clause-sponsorship.fields'))).toContain('No check of this run judges it.');
  });

  it('has each check once in full, with its verdict, and as a link below the other clauses', () => {
    const labels = ['passed', 'failed', 'advisory', 'not applicable', 'not tested', 'inconclusive', 'error'];
    const seen = new Set<string>();
    for (const check of CHECKS) {
      const details = withId(`check-${check.id.replace('/', '__')}`);
      expect(details.name).toBe('details');
      const [badge] = byClass(elementsOf(details), 'badge');
      seen.add(badge === undefined ? '' : textOf(badge));
      expect(textOf(details)).toContain(`aips conform http://127.0.0.1:8787 --only ${check.id} --seed 7`);
    }
    expect(seen).toEqual(new Set(labels));
    expect(textOf(withId('clause-heartbeat.interval.body'))).toContain('heartbeat/too-soon');
    expect(byName(elementsOf(withId('clause-heartbeat.interval.body')), 'details')).toHaveLength(0);
  });

  it('shows a failure with expected, actual, transcript and curl', () => {
    const shown = textOf(withId('check-heartbeat__too-soon'));
    expect(shown).toContain('expected429 HEARTBEAT_TOO_SOON');
    expect(shown).toContain('actual200');
    expect(shown).toContain('Transcript, 2 requests');
    expect(shown).toContain('"payment_tx": "5Jw1xhM"');
    expect(shown).toContain('authorization: Bearer [redacted]');
    expect(shown).toContain("curl -sS -X POST 'http://127.0.0.1:8787/api/v1/agent/heartbeat'");
  });

  it('lists findings above the clauses, failures first and advisories last', () => {
    const [list] = byClass(elements, 'findings');
    const links = byName(elementsOf(list ?? withId('findings')), 'a').map(({ attributes }) => attributes.get('href'));
    expect(links.filter((link) => link?.startsWith('#check-'))).toEqual([
      '#check-heartbeat__too-soon',
      '#check-status__found',
      '#check-verify__found',
      '#check-heartbeat__frozen',
    ]);
  });

  it('says what was not judged, why, and how to provide it', () => {
    const [table] = byName(elements, 'table');
    const rows = elementsOf(table ?? withId('unjudged')).filter(({ name }) => name === 'tr');
    expect(rows.map(textOf)).toEqual([
      'verdictchecksreasonhow to provide it',
      'error1the check threw: cannot read the reply',
      'inconclusive1three replies in a row were 503',
      'not tested2the target offers no clockgive control: { url, token } of a server whose clock moves only when told (aips serve --clock manual)',
      'not tested1the target offers no beatsgive beats_url',
      'not applicable1the target declares partner-webhook unsupported',
    ]);
  });

  it('can be filtered by the verdicts that occur, and has no dead control without script', () => {
    const [form] = byName(elements, 'form');
    expect(form?.attributes.has('hidden')).toBe(true);
    const boxes = elementsOf(form ?? withId('clauses')).filter(
      ({ attributes }) => attributes.get('type') === 'checkbox',
    );
    expect(boxes.map(({ attributes }) => attributes.get('value'))).toEqual([
      'fail',
      'error',
      'inconclusive',
      'advisory',
      'not-tested',
      'not-applicable',
      'pass',
      'none',
    ]);
    expect(withId('clause-heartbeat.interval.min').attributes.get('data-verdicts')).toBe('fail');
    expect(withId('clause-dms.missed-anchors').attributes.get('data-verdicts')).toBe('not-tested');
    expect(withId('clause-service.preview').attributes.get('data-verdicts')).toBe('none');
    expect(byName(elements, 'button')).toHaveLength(0);
  });

  it('says aloud that nothing ran, and why the run stopped', () => {
    const empty = conformancePage(emptyConformance());
    expect(empty).toContain('<b>No check ran.</b>');
    expect(empty).toContain('three refused connections in a row');
    expect(empty).not.toContain('id="findings"');
  });

  it('is all that it shows: hostile text stays text, and a long body is cut', () => {
    const page = conformancePage(hostileConformance());
    const shown = expectGoodPage(page);
    const all = byName(shown, 'body').map(textOf).join('');
    expect(all).toContain(`about${visible(HOSTILE)}`);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('\u202e');
    expect(page).not.toContain('\u001b');
    expect(all).toContain('[46,000 characters more; the whole body is in conformance.json]');
    expect(page.length).toBeLessThan(120_000);
  });

  it('shows a check whose clauses are not listed', () => {
    const stray = { ...judged('stray/check', ['gone.clause']), verdict: 'pass' as const };
    const page = conformancePage(conformanceFixture({ checks: [...CHECKS, stray] }));
    expectGoodPage(page);
    expect(page).toContain('id="check-stray__check"');
  });

  it('gives the same bytes for the same result', () => {
    expect(conformancePage(conformanceFixture())).toBe(text);
  });
});
