import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  hostileConformance,
  standingConformance,
} from '../test/fixtures/results.js';
import { conformanceSummary } from './console.js';

const plain = { colour: false };
const ESCAPE = '\u001b';

describe('conformanceSummary', () => {
  it('says in its first line how much was judged', () => {
    const [first] = conformanceSummary(conformanceFixture(), plain).split('\n');
    expect(first).toBe('7 of 15 clauses judged: 4 hold, 3 do not');
    const coverage = { clauses: 392, judged: 214, held: 212, excluded: 20 };
    expect(conformanceSummary(conformanceFixture({ coverage }), plain).split('\n')[0]).toBe(
      '214 of 392 clauses judged: 212 hold, 2 do not',
    );
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const text = conformanceSummary(standingConformance(), plain);
    for (const line of [
      '1 failed (1 known)',
      ', 2 flaky',
      'baseline: heartbeat/accepted passes again: take it off the list',
      'KNOWN     heartbeat/too-soon  ',
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
    expect(conformanceSummary(conformanceFixture(), plain).split('\n')[1]).toBe(
      'http://127.0.0.1:8787, devnet, dialect service: 1 failed, 1 error, 1 inconclusive, 1 advisory, 3 not tested, 1 not applicable, 2 passed',
    );
  });

  it('shows a failure with its clauses, what was expected and found, and how to run it again', () => {
    const text = conformanceSummary(conformanceFixture(), { ...plain, where: 'out/index.html' });
    expect(text).toContain(
      [
        'FAIL      heartbeat/too-soon  A heartbeat nine beats after the last is refused',
        '  clause    heartbeat.interval.min (4.5): Heartbeats lie at least 10 beats apart.',
        '  clause    heartbeat.interval.body (4.5): The refusal names the next eligible beat.',
        '  about     status of the second heartbeat',
        '  expected  429 HEARTBEAT_TOO_SOON',
        '  actual    200',
        '  again     aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7',
        '  curl      in out/index.html, with the transcript',
      ].join('\n'),
    );
  });

  it('shows an advisory, and as a failure when the run is strict', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).toContain('ADVISORY  heartbeat/frozen  ');
    const strict = conformanceSummary(conformanceFixture(), { ...plain, strict: true });
    expect(strict).toContain('FAIL      heartbeat/frozen  ');
    expect(strict).not.toContain('ADVISORY');
  });

  it('shows what could not be told', () => {
    const text = conformanceSummary(conformanceFixture(), plain);
    expect(text).toContain(
      'ERROR     verify/found  A registered agent is verified\n  reason    the check threw: cannot read',
    );
    expect(text).toContain(
      'UNCLEAR   status/found  A registered agent is found\n  reason    three replies in a row were 503',
    );
  });

  it('lists what was not tested by reason, with how to provide it', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).toContain(
      [
        'not judged',
        '  2  not tested      the target offers no clock',
        '                     give `control: { url, token }` of a server whose clock moves only when told (`aips serve --clock manual`)',
        '  1  not tested      the target offers no beats',
        '                     give `beats_url`',
        '  1  not applicable  the target declares partner-webhook unsupported',
      ].join('\n'),
    );
  });

  it('is short for a clean run', () => {
    expect(conformanceSummary(cleanConformance(), plain)).toBe(
      [
        '4 of 4 clauses judged: 4 hold, 0 do not',
        'http://127.0.0.1:8787, devnet, dialect service: 2 passed',
        '1,234 requests, 0.151 SOL in fees, 3.25 s',
        '',
        'seed 7, exit status 0',
        '',
      ].join('\n'),
    );
  });

  it('does not let a run without checks look like a success', () => {
    const text = conformanceSummary(emptyConformance(), plain);
    expect(text).toContain('0 of 15 clauses judged: 0 hold, 0 do not');
    expect(text).toContain('stopped: three refused connections in a row');
    expect(text).toContain('no check ran: nothing was shown about the target');
    expect(text).toContain('exit status 2');
  });

  it('shows twenty failures at most and says how many are left', () => {
    const failed = CHECKS.filter((check) => check.verdict === 'fail');
    const checks = Array.from({ length: 23 }, (_, at) =>
      failed.map((check) => ({ ...check, id: `many/${at}` })),
    ).flat();
    const text = conformanceSummary(conformanceFixture({ checks }), plain);
    expect(text.match(/^FAIL/gmu)).toHaveLength(20);
    expect(text).toContain('and 3 checks more that did not pass: conformance.json');
  });

  it('cuts a long value and says how much is missing', () => {
    const checks = CHECKS.map((check) => (check.verdict === 'fail' ? { ...check, actual: 'x'.repeat(1000) } : check));
    expect(conformanceSummary(conformanceFixture({ checks }), plain)).toContain(
      `${'x'.repeat(600)}… (400 characters more)`,
    );
  });

  it('uses the command it is given', () => {
    const text = conformanceSummary(conformanceFixture(), { ...plain, command: 'aips conform --self' });
    expect(text).toContain('again     aips conform --self --only heartbeat/too-soon --seed 7');
  });

  it('has colours only when asked', () => {
    expect(conformanceSummary(conformanceFixture(), plain)).not.toContain(ESCAPE);
    expect(conformanceSummary(conformanceFixture(), { colour: true })).toContain(`${ESCAPE}[31mFAIL`);
  });

  it('lets no hostile text reach the terminal', () => {
    const text = conformanceSummary(hostileConformance(), plain);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(text).toContain('␛[31mred');
  });
});
