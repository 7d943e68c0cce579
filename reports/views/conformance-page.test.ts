import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../results/conformance-result.js';
import { visible } from '../../results/visible.js';
import { type Element, elementsOf, readHtml, textOf } from '../../test/fixtures/markup-reader.js';
import { byClass, byName, expectGoodPage } from '../../test/fixtures/page-checks.js';
import {
  CHECKS,
  CLAUSES,
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  FINDINGS,
  HOSTILE,
  hostileConformance,
  judged,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { fromBase85 } from './base85.js';
import { ClauseBody, type ClauseContext } from './clauses.js';
import { conformancePage } from './conformance-page.js';
import { anchorOf, textOfMarkup } from './markup.js';
import { type TextsApart, textsJoined } from './texts-apart.js';
import { TranscriptBlock } from './transcript.js';

const text = conformancePage(conformanceFixture());
const plain = expectGoodPage(text);
const elements = expectGoodPage(unfoldedPage(text));

/** The page as its script makes it, with every clause unfolded. */
function unfoldedPage(page: string): string {
  const context = packedIn(page, 'packed-clauses') as ClauseContext | undefined;
  const clauses = context?.result.clauses ?? [];
  expect(page.match(/ class="clause folded"/gu) ?? []).toHaveLength(clauses.length);
  return clauses.reduce((shown, clause) => {
    const place = shown.indexOf(` class="clause folded" id="${anchorOf('clause', clause.id)}"`);
    const body = context === undefined ? '' : textOfMarkup(ClauseBody({ clause, context }));
    return shown.slice(0, place) + shown.slice(place).replace('</summary>', (end) => end + body);
  }, page);
}

/** The bytes that a page holds for its script; none where it has no such element. */
function packedIn(page: string, id: string): unknown {
  const [, packed = ''] =
    new RegExp(`<template id="${id}" data-file(?:="[^"]*")?>([^<>&]+)</template>`).exec(page) ?? [];
  return packed === '' ? undefined : JSON.parse(inflateSync(fromBase85(packed)).toString());
}

function withId(id: string): Element {
  const found = elements.find(({ attributes }) => attributes.get('id') === id);
  if (found === undefined) throw new Error(`no element ${id}`);
  return found;
}

describe('conformancePage', () => {
  it.each([
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['a missing endpoint', lackingConformance()],
    ['known and flaky checks', standingConformance()],
    ['hostile text', hostileConformance()],
  ])('is a good page with %s', (_, result) => {
    for (const strict of [false, true]) {
      const page = conformancePage(result, { strict });
      for (const shown of [page, unfoldedPage(page)]) expectGoodPage(shown);
    }
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const standing = expectGoodPage(conformancePage(standingConformance()));
    const facts = byClass(standing, 'facts').map(textOf);
    expect(facts.some((fact) => fact.includes('knownuntil 2026-12-31: the interval is being reworked'))).toBe(true);
    expect(facts.some((fact) => fact.includes('flakyseed 7 pass, seed 8 advisory'))).toBe(true);
    expect(byName(standing, 'h3').map(({ attributes }) => attributes.get('id'))).toContain('flaky');
    expect(facts.some((fact) => fact.includes('flakyseed 7 pass, seed 8 inconclusive'))).toBe(true);
    const notes = byClass(standing, 'note').map(textOf);
    expect(notes).toContain('Baseline: heartbeat.reply in heartbeat/accepted passes again: take it off the list');
  });

  it('has what may follow from a finding in its card', () => {
    const [first, ...others] = FINDINGS;
    if (first === undefined) throw new Error('the fixture has findings');
    const after = { ...first, id: 'after', about: 'fee.tier', follows: first.id };
    const page = expectGoodPage(conformancePage(conformanceFixture({ findings: [first, after, ...others] })));
    expect(byClass(page, 'fail').map(textOf).join()).toContain('1 finding that may follow from it');
    expect(byClass(page, 'fail')).toHaveLength(byClass(plain, 'fail').length);
  });

  it('says the verdict first', () => {
    const [lead] = byClass(elements, 'lead');
    expect(lead === undefined ? '' : textOf(lead)).toBe(
      'http://127.0.0.1:8787: Not conformant: 1 finding; 46 % of the specification judged.',
    );
  });

  it('has a cell of the matrix for every clause, which leads to it, and a row for every section', () => {
    const [matrix] = byClass(elements, 'matrix');
    const inside = elementsOf(matrix ?? withId('clauses'));
    const cells = byClass(inside, 'cells').flatMap((row) => byName(elementsOf(row), 'a'));
    const led = cells.map(({ attributes }) => attributes.get('href')?.slice('#clause-'.length));
    expect(led.toSorted()).toEqual(CLAUSES.map(({ id }) => id).toSorted());
    const failing = cells.filter(({ attributes }) => attributes.get('class')?.includes('fails'));
    expect(failing).toHaveLength(CLAUSES.filter(({ state }) => state === 'fails').length);
    const rows = byClass(inside, 'name').map(textOf);
    expect(rows).toHaveLength(10);
    expect(rows.find((row) => row.startsWith('4.5'))).toMatch(/: 1 passes, 3 fail$/u);
  });

  it('says first what to do, with the cause that comes first', () => {
    const [first] = byClass(elements, 'first').map(textOf);
    expect(first).toContain('POST /api/v1/agent/heartbeat: status');
    expect(first).toContain('expected429 HEARTBEAT_TOO_SOONactual200');
    expect(first).toContain('--only heartbeat/too-soon --seed 7');
  });

  it('has only clauses that fail open', () => {
    const open = byClass(plain, 'clause').filter(({ attributes }) => attributes.has('open'));
    expect(open.length).toBeGreaterThan(0);
    for (const { attributes } of open) expect(attributes.get('data-state')).toBe('fails');
  });

  it('has every section in order, open where the text does not hold', () => {
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
    expect(textOf(withId('section-4.5'))).toContain('4 clauses: 1 passes, 3 fail');
  });

  it('has every clause with its id, level, text and state, where it rests, and why it is not judged', () => {
    const labels = { holds: 'passes', fails: 'fails', 'not-judged': 'not judged', excluded: 'excluded' };
    for (const clause of CLAUSES) {
      const shown = textOf(withId(`clause-${clause.id}`));
      const parts = [clause.id, clause.level, clause.text, clause.where, clause.reason ?? '', labels[clause.state]];
      for (const part of parts) expect(shown).toContain(part);
    }
    expect(textOf(withId('clause-service.preview'))).toContain('Excluded: a permission binds nobody');
    expect(textOf(withId('clause-sponsorship.fields'))).toContain('Not judged: none of its checks was chosen');
  });

  it('has the evidence of each clause, what is against it first', () => {
    const [against] = byClass(elementsOf(withId('clause-heartbeat.interval.min')), 'evidence').map(textOf);
    expect(against).toContain(
      '✗ status: expected 429 HEARTBEAT_TOO_SOON, got 200 in heartbeat/accepted #2 POST /api/v1/agent/heartbeat',
    );
    const [inFavour] = byClass(elementsOf(withId('clause-register.no-wallet')), 'evidence').map(textOf);
    expect(inFavour).toBe('✓ ok in register/no-wallet #1 POST /api/v1/register');
  });

  it('shows some of the evidence for a clause, and all that is against it', () => {
    const clauses = CLAUSES.map((clause) => {
      if (clause.id !== 'register.no-wallet') return clause;
      const [seen] = clause.evidence;
      if (seen === undefined) throw new Error('the fixture has evidence for it');
      const broken = { ...seen, ok: false, expected: 'a', actual: 'b' };
      return {
        ...clause,
        evidence: [...Array.from({ length: 9 }, () => seen), ...Array.from({ length: 5 }, () => broken)],
      };
    });
    const shown = byClass(expectGoodPage(conformancePage(conformanceFixture({ clauses }))), 'evidence').map(textOf);
    const own = shown.find((one) => one.includes('got b'));
    expect(own?.match(/✗/gu)).toHaveLength(5);
    expect(own?.match(/✓/gu)).toHaveLength(3);
    expect(own).toMatch(/and 6 more that it passes$/u);
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
    expect(byClass(elementsOf(withId('clause-heartbeat.interval.body')), 'check')).toHaveLength(0);
  });

  it('shows a failure with expected, actual, transcript and curl', () => {
    const shown = textOf(withId('check-heartbeat__too-soon'));
    expect(shown).toContain('expected429 HEARTBEAT_TOO_SOON');
    expect(shown).toContain('actual200');
    expect(shown).toContain('Transcript, 2 requests');
    expect(shown).toContain('"payment_tx": "5Jw1xhM"');
    expect(shown).toContain('authorization: Bearer [API_KEY_1]');
    expect(shown).toContain('send -X POST http://127.0.0.1:8787/api/v1/agent/heartbeat');
    expect(shown).toContain(': "${API_KEY_1:?');
    expect(shown).toContain('at 2026-01-01T00:00:00.000Z');
    expect(shown).toContain('protocol time goes on by 9 min, to 2026-01-01T00:09:00.000Z');
    expect(shown).toContain('ended earlyneeds next_eligible_beat, which is not there');
  });

  it('lists what does not hold, then what was not judged, then decisions, above the clauses', () => {
    const headings = byName(elements, 'h3').map(({ attributes }) => attributes.get('id'));
    expect(headings).toEqual(['next', 'matrix-title', 'findings', 'unjudged', 'decisions', 'clauses', 'run']);
    const lists = byClass(elements, 'findings').map((list) =>
      byClass(elementsOf(list), 'card').map((card) => byName(elementsOf(card), 'b').map(textOf)[0]),
    );
    expect(lists).toEqual([
      ['POST /api/v1/agent/heartbeat: status'],
      ['A registered agent is found', 'A registered agent is verified'],
      ['POST /api/v1/agent/heartbeat: code'],
    ]);
  });

  it('shows a finding with its clauses, where they rest, who met it, and where it was first seen', () => {
    const shown = textOf(withId('finding-heartbeat.interval.min-post-agent-heartbeat-status'));
    for (const part of [
      'Heartbeats lie at least 10 beats apart. (section 4.5, paragraph “Minimum interval”)',
      'expected429 HEARTBEAT_TOO_SOONactual200',
      'met by2 checks: heartbeat/accepted heartbeat/too-soon',
      'aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7',
      'Where it was first seen',
    ]) {
      expect(shown).toContain(part);
    }
  });

  it('says what was not judged, why, and how to provide it', () => {
    const [table] = byName(elements, 'table');
    const rows = elementsOf(table ?? withId('unjudged')).filter(({ name }) => name === 'tr');
    expect(rows.map(textOf)).toEqual([
      'verdictmust clausesof decisionschecksreasonhow to provide it',
      'not tested202the target offers no clock dms.missed-anchors resync.penaltygive control: { url, token } of a server whose clock moves only when told (aips serve --clock manual)',
      'error101the check threw: cannot read the reply verify.found',
      'not applicable101the target declares partner-webhook unsupported partner-webhook.put',
      'not tested101the target offers no beats work-proof.receiptgive beats_url',
      'inconclusive101three replies in a row were 503 status.found',
      'not judged100none of its checks was chosen sponsorship.fields',
    ]);
    const links = elementsOf(table ?? withId('unjudged')).filter(({ name }) => name === 'a');
    expect(links[0]?.attributes.get('href')).toBe('#clause-dms.missed-anchors');
  });

  it('names what to do next', () => {
    const lacking = conformancePage(lackingConformance());
    expect(lacking).toContain('<p>build <b>GET /api/v1/status/:hash</b> (2 checks, 1 must clause)</p>');
    expect(lacking).toContain('unsupported: [status]');
    expect(lacking).not.toContain('id="findings"');
  });

  it('can be filtered by the states and levels that occur, and has no dead control without script', () => {
    const [form] = byName(elements, 'form');
    expect(form?.attributes.has('hidden')).toBe(true);
    const boxes = elementsOf(form ?? withId('clauses')).filter(
      ({ attributes }) => attributes.get('type') === 'checkbox',
    );
    expect(boxes.map(({ attributes }) => `${attributes.get('name')} ${attributes.get('value')}`)).toEqual([
      'state holds',
      'state fails',
      'state not-judged',
      'state excluded',
      'level must',
      'level decision',
    ]);
    const marks = (id: string) => {
      const { attributes } = withId(`clause-${id}`);
      return [attributes.get('data-state'), attributes.get('data-level')];
    };
    expect(marks('heartbeat.interval.min')).toEqual(['fails', 'must']);
    expect(marks('heartbeat.frozen')).toEqual(['fails', 'decision']);
    expect(marks('service.preview')).toEqual(['excluded', 'must']);
    expect(byName(elements, 'button')).toHaveLength(0);
  });

  it('says aloud that nothing ran, and why the run stopped', () => {
    const empty = conformancePage(emptyConformance());
    expect(empty).toContain('<b>No check ran.</b>');
    expect(empty).toContain('three refused connections in a row');
    expect(empty).not.toContain('id="findings"');
  });

  it('has all that does not hold, is not judged or excluded to be read without script, and of all else the text', () => {
    const shown = new Map(plain.map((element) => [element.attributes.get('id'), element]));
    for (const { id, state, text, reason, excluded } of CLAUSES) {
      const clause = shown.get(`clause-${id}`);
      const read = clause === undefined ? '' : textOf(clause);
      for (const part of [text, reason ?? '', excluded ?? '']) expect(read).toContain(part);
      if (state !== 'holds') expect(byClass(elementsOf(clause ?? withId('clauses')), 'body').length).toBeGreaterThan(0);
    }
    for (const { id, verdict } of CHECKS) {
      if (verdict !== 'pass') expect(shown.get(`check-${id.replace('/', '__')}`)?.name).toBe('details');
    }
    const folded = byClass(expectGoodPage(conformancePage(cleanConformance())), 'folded');
    expect(folded.length).toBeGreaterThan(3);
    expect(shown.get('folded-note') === undefined).toBe(byClass(plain, 'folded').length === 0);
  });

  it('is all that it shows: hostile text stays text, and a long body is cut', () => {
    const page = conformancePage(hostileConformance());
    const shown = expectGoodPage(page);
    const all = byName(shown, 'body').map(textOf).join('');
    expect(all).toContain(`actual${visible(HOSTILE)}`);
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

describe('the transcripts of checks that passed', () => {
  const clean = cleanConformance();
  const cleanText = conformancePage(clean);
  const sending = clean.checks.filter(({ transcript }) => transcript.length > 0);

  function unpacked(page: string): Map<string, readonly Exchange[]> {
    return new Map(textsJoined(packedIn(page, 'packed-transcripts') as TextsApart));
  }

  it('are compressed, each once and whole, and have their places', () => {
    expect(sending.length).toBeGreaterThan(0);
    expect([...unpacked(cleanText)]).toEqual(sending.map(({ id, transcript }) => [id, transcript]));
    const places = byClass(expectGoodPage(unfoldedPage(cleanText)), 'packed').map(({ attributes }) =>
      attributes.get('data-check'),
    );
    expect(places.toSorted()).toEqual(sending.map(({ id }) => id).toSorted());
  });

  it('are markup as elsewhere on the page, with the script of curl', () => {
    for (const { transcript } of sending) {
      const shown = textOfMarkup(TranscriptBlock({ exchanges: transcript, file: 'file' }));
      const found = elementsOf(readHtml(`<!doctype html>\n<html>${shown}</html>\n`));
      const wanted = transcript.filter(({ request }) => request.method !== 'NOTE').length;
      expect(byClass(found, 'exchange').length).toBe(wanted);
      expect(byClass(found, 'script').map(textOf).join()).toContain('\nsend -X ');
    }
  });

  it('let no text of the server be markup', () => {
    const hostile = { ...hostileConformance() };
    const all = conformancePage({
      ...hostile,
      checks: hostile.checks.map(({ id, title, clauses, level, wall_ms, transcript }) => {
        return { id, title, clauses, level, wall_ms, transcript, verdict: 'pass' as const };
      }),
    });
    const pieces = [...unpacked(all).values()]
      .map((transcript) => textOfMarkup(TranscriptBlock({ exchanges: transcript, file: 'file' })))
      .join('');
    expect(pieces.length).toBeGreaterThan(0);
    expect(pieces).not.toMatch(/<(?:script|img|svg|iframe)/iu);
  });

  it('are not compressed where a check did not pass', () => {
    const failing = conformanceFixture().checks.filter(({ verdict, transcript }) => {
      return verdict !== 'pass' && transcript.length > 0;
    });
    expect(failing.length).toBeGreaterThan(0);
    const places = byClass(elements, 'packed').map(({ attributes }) => attributes.get('data-check'));
    expect(failing.filter(({ id }) => places.includes(id))).toEqual([]);
  });
});
