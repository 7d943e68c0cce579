import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  FINDINGS,
  hostileConformance,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { conformanceSummary } from './console.js';

const plain = { colour: false };
const ESCAPE = '\u001b';

describe('conformanceSummary', () => {
  it('says the verdict first, and how much was judged, text and decisions apart', () => {
    const [first, second] = conformanceSummary(conformanceFixture(), plain).split('\n');
    expect(first).toBe('Not conformant: 1 finding; 46 % of the specification judged');
    expect(second).toBe(
      'Specification: 6 of 13 clauses judged: 4 pass, 2 fail. Decisions: 1 of 1 clauses judged: 0 pass, 1 fail',
    );
  });

  it('tells what fails first, then what could not be judged, then decisions, and the one fix last', () => {
    const text = conformanceSummary(conformanceFixture(), plain);
    const places = ['\nFAIL ', '\nUNCLEAR ', '\nERROR ', '\nnot judged\n', '\nADVISORY ', '\nnext: ', '\nseed 7'];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const text = conformanceSummary(standingConformance(), plain);
    for (const line of [
      '1 failed (1 known)',
      ', 2 flaky',
      'baseline: heartbeat.reply in heartbeat/accepted passes again: take it off the list',
      'KNOWN     POST /api/v1/agent/heartbeat: status',
      '  known     until 2026-12-31: the interval is being reworked (https://example.org/7)',
      'FLAKY     heartbeat/frozen  ',
      '  flaky     seed 7 pass, seed 8 advisory',
      '--only heartbeat/frozen --seed 8',
      'FLAKY     status/found  ',
      '  flaky     seed 7 pass, seed 8 inconclusive',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain('FAIL ');
  });

  it('counts every verdict', () => {
    expect(conformanceSummary(conformanceFixture(), plain).split('\n')[2]).toBe(
      'http://127.0.0.1:8787, devnet, dialect service: 1 failed, 1 error, 1 inconclusive, 1 advisory, 3 not tested, 1 not applicable, 2 passed',
    );
  });

  it('shows a finding with its clauses, what was expected and found, who met it and how to see it again', () => {
    const text = conformanceSummary(conformanceFixture(), plain);
    expect(text).toContain(
      [
        'FAIL      POST /api/v1/agent/heartbeat: status',
        '  clause    heartbeat.interval.min (section 4.5, paragraph “Minimum interval”): Heartbeats lie at least 10 beats apart.',
        '  clause    heartbeat.interval.body (section 4.5, paragraph “Minimum interval”): The refusal names the next eligible beat.',
        '  sent      2026-01-01T00:09:00.000Z: POST /api/v1/agent/heartbeat {"payment_tx":"5Jw1xhM"}',
        '  expected  429 HEARTBEAT_TOO_SOON',
        '  actual    200',
        '  met by    2 checks: heartbeat/accepted, heartbeat/too-soon',
        '  again     aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7',
      ].join('\n'),
    );
  });

  it('says where transcripts are only where a file with them was written', () => {
    const without = conformanceSummary(conformanceFixture(), plain);
    expect(without).toContain('transcripts and curl scripts: add --out FOLDER\n');
    const where = conformanceSummary(conformanceFixture(), { ...plain, where: 'out/conformance.html' });
    expect(where).toContain('transcripts and curl scripts: in out/conformance.html\n');
    expect(conformanceSummary(cleanConformance(), plain)).not.toContain('transcripts');
  });

  it('shows a decision that is not followed, and as a failure when the run is strict', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).toContain(
      'decisions that are not followed\nADVISORY  POST /api/v1/agent/heartbeat: code\n',
    );
    const strict = conformanceSummary(conformanceFixture(), { ...plain, strict: true });
    expect(strict).toContain('FAIL      POST /api/v1/agent/heartbeat: code\n');
    expect(strict).not.toContain('ADVISORY');
  });

  it('shows what could not be told, and what that leaves open', () => {
    const text = conformanceSummary(conformanceFixture(), plain);
    expect(text).toContain(
      'ERROR     verify/found  A registered agent is verified\n  reason    the check threw: cannot read the reply\n  leaves    1 must clause not judged\n',
    );
    expect(text).toContain(
      'UNCLEAR   status/found  A registered agent is found\n  reason    three replies in a row were 503\n',
    );
  });

  it('lists what was not judged by reason, with the clauses that it leaves open and how to provide it', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).toContain(
      [
        'not judged',
        '  must  decisions  checks',
        '     2          -       2  not tested      the target offers no clock',
        '                                           give `control: { url, token }` of a server whose clock moves only when told (`aips serve --clock manual`)',
        '     1          -       1  not applicable  the target declares partner-webhook unsupported',
        '     1          -       1  not tested      the target offers no beats',
        '                                           give `beats_url`',
        '     1          -       -  not judged      none of its checks was chosen',
      ].join('\n'),
    );
  });

  it('names the one fix that frees most', () => {
    const text = conformanceSummary(conformanceFixture(), { ...plain, command: 'aips conform --target t.yaml' });
    expect(text).toContain(
      'next: fix POST /api/v1/agent/heartbeat: status (2 checks, 2 must clauses)\n    aips conform --target t.yaml --only heartbeat/too-soon --seed 7\n',
    );
  });

  it('lists an endpoint that is not there once, with what waits for it and what to do', () => {
    const text = conformanceSummary(lackingConformance(), plain);
    expect(text).toContain(
      'NOT SERVED  1 endpoint: answered as what the target does not have\n  GET /api/v1/status/:hash  4.1  404  1 check and 1 must clause wait for it\n',
    );
    expect(text).toContain('next: build GET /api/v1/status/:hash (2 checks, 1 must clause)\n');
    expect(text).toContain('    unsupported: [status]\n');
    expect(text).not.toContain('FAIL');
  });

  it('counts, where endpoints are not there, what was judged of each section, text and decisions apart', () => {
    const lacking = lackingConformance();
    const [first, ...rest] = lacking.clauses;
    if (first === undefined) throw new Error('no clause');
    const decided = { ...first, id: 'status.decided', level: 'decision' as const, state: 'fails' as const };
    const text = conformanceSummary({ ...lacking, clauses: [first, decided, ...rest] }, plain);
    const lines = text.slice(text.indexOf('judged, by section'), text.indexOf('\nnext:')).split('\n');
    expect(lines.slice(1).map((line) => line.replaceAll(/ +/gu, ' '))).toEqual([
      ' 3.1 Agent status Specification: 0 of 1 clauses judged: 0 pass, 0 fail Decisions: 1 of 1 clauses judged: 0 pass, 1 fail',
      ' 4.1 Summary Specification: 1 of 1 clauses judged: 0 pass, 1 fail',
      '',
    ]);
  });

  it('shows what may follow from a finding under it, a line for all that say the same', () => {
    const [first, ...others] = FINDINGS;
    if (first === undefined) throw new Error('the fixture has findings');
    const after = { ...first, id: 'after', about: 'fee.tier', expected: '1', actual: '2', follows: first.id };
    const another = { ...after, id: 'another', actual: '3' };
    const findings = [first, after, { ...after, id: 'same' }, another, ...others];
    const text = conformanceSummary(conformanceFixture({ findings }), plain);
    const place = 'POST /api/v1/agent/heartbeat: fee.tier';
    expect(text).toContain(
      `\n  then      ${place}: expected 1, got 2 (2 findings)\n            ${place}: expected 1, got 3\n`,
    );
    expect(text.match(/^FAIL /gm)).toHaveLength(1);
    expect(text).toMatch(/^Not conformant: 1 finding, 3 that may follow; /);
  });

  it('shows of a run that repeats a part no more than what changed', () => {
    const since = { holds: ['a.b', 'c.d'], broken: ['e.f'], fails: [], unjudged: [] };
    const text = conformanceSummary(conformanceFixture(), { ...plain, since, brief: true });
    expect(text).toContain('\nsince the last run: +2 hold, -1 fail that held\n  hold      a.b, c.d\n  fail      e.f\n');
    expect(text).not.toContain('not judged\n');
    expect(text).toContain('\nnext: ');
  });

  it('is short for a clean run', () => {
    expect(conformanceSummary(cleanConformance(), plain)).toBe(
      [
        'Conformant: no failure; 100 % of the specification judged',
        'Specification: 4 of 4 clauses judged: 4 pass, 0 fail. Decisions: 0 of 0 clauses judged: 0 pass, 0 fail',
        'http://127.0.0.1:8787, devnet, dialect service: 2 passed',
        '1,234 requests, 0.151 SOL in fees, 3.25 s',
        '',
        'seed 7, exit status 0',
        '',
      ].join('\n'),
    );
  });

  it('ends with the median reply and the slowest checks, where one took a second', () => {
    const { checks, ...clean } = cleanConformance();
    const slow = checks.map((check, at) => ({ ...check, wall_ms: at === 0 ? 2_500 : 999 }));
    const text = conformanceSummary({ ...clean, checks: slow, reply_ms: 4 }, plain);
    expect(text).toContain(`\nmedian reply 4 ms; slowest checks ${checks[0]?.id} 2.5 s\nseed 7`);
  });

  it('does not let a run without checks look like a success', () => {
    const text = conformanceSummary(emptyConformance(), plain);
    expect(text).toContain(
      'Specification: 0 of 13 clauses judged: 0 pass, 0 fail. Decisions: 0 of 1 clauses judged: 0 pass, 0 fail',
    );
    expect(text).toContain('stopped: three refused connections in a row');
    expect(text).toContain('no check ran: nothing was shown about the target');
    expect(text).toContain('exit status 2');
  });

  it('shows twenty findings of a kind at most and says how many are left', () => {
    const findings = Array.from({ length: 23 }, (_, at) =>
      FINDINGS.map((one) => ({ ...one, id: `${at} ${one.id}` })),
    ).flat();
    const text = conformanceSummary(conformanceFixture({ findings }), { ...plain, where: 'out/conformance.json' });
    expect(text.match(/^FAIL/gmu)).toHaveLength(20);
    expect(text.match(/^ADVISORY/gmu)).toHaveLength(20);
    expect(text).toContain('and 3 findings more: out/conformance.json');
    expect(text).toContain('and 3 decisions more: out/conformance.json');
  });

  it('names the first checks and clauses of a finding, and counts the others', () => {
    const ids = Array.from({ length: 30 }, (_, at) => `many/${at}`);
    const findings = FINDINGS.slice(0, 1).map((one) => ({ ...one, checks: ids, clauses: ids }));
    const text = conformanceSummary(conformanceFixture({ findings }), plain);
    expect(text).toContain(
      '  met by    30 checks: many/0, many/1, many/2, many/3, many/4, many/5, many/6, many/7 and 22 more\n',
    );
    expect(text).toContain('  clause    many/3\n            and 26 clauses more\n');
  });

  it('cuts a long value and says how much is missing', () => {
    const findings = FINDINGS.map((finding) => ({ ...finding, actual: 'x'.repeat(1000) }));
    expect(conformanceSummary(conformanceFixture({ findings }), plain)).toContain(
      `${'x'.repeat(600)}… (400 characters more)`,
    );
  });

  it('shows twenty undecided checks at most', () => {
    const errors = CHECKS.filter((check) => check.verdict === 'error');
    const checks = Array.from({ length: 23 }, (_, at) =>
      errors.map((check) => ({ ...check, id: `many/${at}` })),
    ).flat();
    const text = conformanceSummary(conformanceFixture({ checks }), plain);
    expect(text.match(/^ERROR/gmu)).toHaveLength(20);
    expect(text).toContain('and 3 checks more\n');
  });

  it('uses the command it is given', () => {
    const text = conformanceSummary(conformanceFixture(), { ...plain, command: 'aips conform self' });
    expect(text).toContain('again     aips conform self --only heartbeat/too-soon --seed 7');
  });

  it('has colours only when asked', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).not.toContain(ESCAPE);
    expect(conformanceSummary(conformanceFixture(), { colour: true })).toContain(`${ESCAPE}[31mFAIL`);
  });

  it.each([hostileConformance(), { ...hostileConformance(), findings: [] }])(
    'lets no hostile text reach the terminal',
    (result) => {
      const text = conformanceSummary(result, plain);
      expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
      expect(text).toContain('␛[31mred');
    },
  );
});
