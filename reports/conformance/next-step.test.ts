import { describe, expect, it } from 'vitest';
import type {
  CheckResult,
  ConformanceResult,
  NotServedEndpoint,
  Reason,
  Why,
} from '../../results/conformance-result.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import {
  CHECKS,
  CLAUSES,
  cleanConformance,
  conformanceFixture,
  FINDINGS,
  judged,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { nextSteps } from './next-step.js';

const target = { command: 'aips conform --target target.yaml' };

/** The fixture with further checks that ended for a reason, and with these findings alone. */
function waitingFor(because: Reason, count: number, findings: ConformanceResult['findings'] = []): ConformanceResult {
  const more = Array.from(
    { length: count },
    (_, at): CheckResult => ({
      ...judged(`more/${at}`, []),
      verdict: 'not-tested',
      ...because,
    }),
  );
  const passed = CHECKS.filter(({ verdict }) => verdict === 'pass');
  const clauses = CLAUSES.filter(({ state }) => state !== 'not-judged');
  return conformanceFixture({ checks: [...passed, ...more], findings, clauses });
}

describe('what to do next', () => {
  it('is nothing where all is well', () => {
    expect(nextSteps(cleanConformance(), {})).toEqual([]);
  });

  it('is to fix what is wrong before anything that is not known', () => {
    expect(nextSteps(conformanceFixture(), target)).toEqual([
      {
        text: 'fix',
        subject: 'POST /api/v1/agent/heartbeat: status',
        frees: '2 checks, 2 must clauses',
        lines: ['aips conform --target target.yaml --only heartbeat/too-soon --seed 7'],
      },
    ]);
    expect(nextSteps(waitingFor({ reason: 'it writes', why: { kind: 'writes' } }, 50, FINDINGS), {})[0]?.text).toBe(
      'fix',
    );
  });

  it('counts must clauses alone: of a mistake that fails decisions too, these are left out', () => {
    const of = conformanceFixture();
    const clauses = of.clauses.map((each, at) => ({ ...each, level: at === 0 ? ('decision' as const) : each.level }));
    const findings = of.findings.map((each) => ({ ...each, clauses: clauses.slice(0, 3).map(({ id }) => id) }));
    expect(nextSteps({ ...of, clauses, findings }, target)[0]?.frees).toBe('2 checks, 2 must clauses');
  });

  it('is to build what comes before on the way, and to fix before that what comes before it', () => {
    const lacks = (endpoint: string): ConformanceResult => {
      const { path, method, stem } = endpointOf(endpoint as EndpointId);
      const not_served: NotServedEndpoint[] = [{ endpoint, method, path, stem, section: '4', checks: 1 }];
      const why: Why = { kind: 'endpoint', of: endpoint };
      return { ...waitingFor({ reason: `needs ${path}`, why }, 1, FINDINGS), not_served };
    };
    expect(nextSteps(lacks('init'), {})[0]).toMatchObject({ text: 'build', subject: 'POST /api/v1/agent/init' });
    expect(nextSteps(lacks('spawn'), {})[0]).toMatchObject({
      text: 'fix',
      subject: 'POST /api/v1/agent/heartbeat: status',
    });
  });

  it('is to give what comes first, where nothing is wrong', () => {
    expect(nextSteps(standingConformance(), target)).toEqual([
      {
        text: 'give `control: { url, token }` of a server whose clock moves only when told (`aips serve --clock manual`)',
        frees: '2 checks, 2 must clauses',
        lines: [],
      },
    ]);
    expect(nextSteps(waitingFor({ reason: 'the target offers no beats', why: { kind: 'beats' } }, 5), {})).toEqual([
      {
        text: 'in a target file, give `beats_url`',
        frees: '5 checks',
        lines: ['aips conform --target target.yaml'],
      },
    ]);
    const writes: Reason = { reason: 'it writes', why: { kind: 'writes' } };
    expect(nextSteps(waitingFor(writes, 5), target)).toEqual([
      {
        text: 'add `--allow-writes`',
        frees: '5 checks',
        lines: ['aips conform --target target.yaml --allow-writes'],
      },
    ]);
  });

  it('is to follow a decision that most checks wait for, those that ended early for it among them', () => {
    const why = { kind: 'decision', of: 'D-22' } as const;
    const because = { reason: 'needs payment_address: D-22 is not followed', why };
    const ended = { ended: because.reason, why };
    const checks = CHECKS.map((check): CheckResult => (check.verdict === 'pass' ? { ...check, ...ended } : check));
    const clauses = CLAUSES.map((one) => (one.id === 'sponsorship.fields' ? { ...one, ...because } : one));
    const own = {
      checks: checks.filter(({ verdict }) => verdict === 'pass'),
      clauses: clauses.filter((one) => one.why === undefined || one.why.kind === 'decision'),
    };
    const [first] = nextSteps(conformanceFixture({ ...own, findings: [] }), {});
    expect(first?.text).toMatch(/^follow D-22 \(.+\), without which these cannot be judged$/);
    expect(first).toMatchObject({ frees: '2 checks, 1 must clause', lines: ['aips spec decisions D-22'] });
  });

  it('is to build an endpoint that is not there, or to declare it', () => {
    expect(nextSteps(lackingConformance(), {})).toEqual([
      {
        text: 'build',
        subject: 'GET /api/v1/status/:hash',
        frees: '2 checks, 1 must clause',
        lines: ["aips conform http://127.0.0.1:8787 --only 'status/*'"],
      },
      {
        text: 'or declare what the target is not to have in a file, say target.yaml',
        lines: ['base_url: http://127.0.0.1:8787', 'unsupported: [status]'],
      },
      { text: 'and judge the rest', lines: ['aips conform --target target.yaml'] },
    ]);
    expect(nextSteps(lackingConformance(), target).slice(1)).toEqual([
      { text: 'or declare in the target file what the target is not to have', lines: ['unsupported: [status]'] },
    ]);
  });

  it('is to get to the end of a run that stopped, where nothing is known to be wrong or the server no longer answers', () => {
    const mainnet: Reason = { reason: 'on mainnet', why: { kind: 'mainnet' } };
    const stoppedBy = (kind: Why['kind'], findings: ConformanceResult['findings'] = []): ConformanceResult => ({
      ...waitingFor(mainnet, 5, findings),
      stopped: 'for a reason',
      stopped_why: { kind },
    });
    const lines = [target.command];
    const crashed = [
      { text: 'see in the log of the server why it no longer answers, start it, and run this again', lines },
    ];
    expect(nextSteps(stoppedBy('no-reply'), target)).toEqual(crashed);
    expect(nextSteps(stoppedBy('no-reply', FINDINGS), target)).toEqual(crashed);
    expect(nextSteps(stoppedBy('interrupted'), target)).toEqual([{ text: 'run this again, to its end', lines }]);
    const some = nextSteps(stoppedBy('interrupted'), { ...target, only: ['heartbeat/*', '4.6'] });
    expect(some[0]?.lines).toEqual([`${target.command} --only 'heartbeat/*' 4.6`]);
    const quick = nextSteps({ ...stoppedBy('interrupted'), mode: 'quick' }, target);
    expect(quick[0]?.lines).toEqual([`${target.command} --quick`]);
    expect(nextSteps(stoppedBy('interrupted', FINDINGS), target)).toMatchObject([{ text: 'fix' }]);
    expect(nextSteps(stoppedBy('budget'), target)).toMatchObject([{ text: expect.stringMatching(/^raise `budget/) }]);
    const { stopped_why: _, ...foreign } = stoppedBy('no-reply');
    expect(nextSteps(foreign, target)).toEqual([]);
  });

  it('is never a decision that is not followed, unless the run is strict', () => {
    const findings = FINDINGS.filter(({ level }) => level === 'decision');
    const result = conformanceFixture({ findings, checks: [], clauses: [] });
    expect(nextSteps(result, {})).toEqual([]);
    expect(nextSteps(result, { strict: true })[0]?.subject).toBe('POST /api/v1/agent/heartbeat: code');
  });
});
