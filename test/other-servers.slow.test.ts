import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHEAP, cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import type { Transport, WireReply } from '../conformance/wire/transport.js';
import type { CheckResult } from '../results/conformance-result.js';
import { withOverlay } from '../spec/overlay.js';
import { type Judged, startJudged } from './fixtures/target.js';

let server: Judged;
beforeAll(async () => {
  server = await startJudged('devnet', {});
});
afterAll(() => server.close());

/** The verdicts of checks on the reference with its replies changed. */
async function judged(only: readonly string[], change: (reply: WireReply, json: object) => object) {
  const { target, send } = server;
  const transport: Transport = async (request) => {
    const reply = await send(request);
    const isControl = request.url.startsWith(String(target.control?.url));
    if (isControl || !/json/.test(reply.headers['content-type'] ?? '')) return reply;
    return { ...reply, body: JSON.stringify(change(reply, JSON.parse(reply.body) as object)) };
  };
  return conform(target, { seed: 1, only, toolVersion: 'test', nowWallMs: Date.now, transport });
}

const wrong = (checks: readonly CheckResult[]): readonly string[] =>
  checks.filter(({ verdict }) => !['pass', 'advisory', 'not-tested'].includes(verdict)).map(({ id }) => id);

/** Fields that nobody asked for, in every object but those that are signed. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const signed = ['passport', 'lineage_proof', 'anchor', 'metadata'];
  const entries = Object.entries(value).map(([name, one]) => [name, signed.includes(name) ? one : withMore(one)]);
  return { x_more: { of: [1, null] }, ...Object.fromEntries(entries) };
}

describe('a server that differs from the reference in what the specification leaves free', () => {
  it('may add fields to any reply', async () => {
    const only = [
      'verify/*',
      'verify-batch/*',
      'status/*',
      'sponsor/*',
      'subsidy/*',
      'partner-webhook/*',
      'fees-summary/*',
    ];
    const { checks } = await judged(only, (_, json) => withMore(json) as object);
    expect(wrong(checks)).toEqual([]);
  });

  it('may ask for proofs to verify in a form of its own, and call none of the suite valid [beat-verify.purpose]', async () => {
    const { checks, clauses } = await judged(['beat-verify/*'], (_, json) =>
      'mode' in json && 'valid' in json ? { valid: false, reason: 'no proof' } : json,
    );
    expect(wrong(checks)).toEqual([]);
    expect(clauses.find(({ id }) => id === 'beat-verify.purpose')?.state).toBe('not-judged');
  });

  it('may let a spawn authorization live a day [spawn.error.spawn-conflict.expired]', async () => {
    const numbers = withOverlay({ ...CHEAP, spawn: { authorizationTtlSec: 86_400 } });
    const { target, send, close } = startInProcess(await loadReference(), { seed: 1, numbers, held: cheap });
    try {
      const only = ['spawn/authorization-ttl'];
      const options = { seed: 1, only, toolVersion: 'test', nowWallMs: Date.now, transport: send };
      const { checks, clauses } = await conform(target, options);
      expect(checks.map(({ verdict }) => verdict)).toEqual(['advisory']);
      expect(clauses.find(({ id }) => id === 'spawn.error.spawn-conflict.expired')?.state).toBe('holds');
    } finally {
      await close();
    }
  });

  it('may answer for an agent that it does not know as for a path that it does not have', async () => {
    const only = ['verify/*', 'status/*', 'beat-status/*', 'sponsor/*', 'subsidy/*', 'flag/*', 'register/child*'];
    const { findings, not_served } = await judged(only, ({ status }, json) =>
      status === 404 ? { error: 'not found' } : json,
    );
    expect(not_served).toBeUndefined();
    // Section 7 gives errors a code, and these a certain one, which the server does not send; the table has nothing else about them.
    const binding = findings.filter(({ level }) => level === 'must');
    expect([...new Set(binding.flatMap(({ clauses }) => clauses))].toSorted()).toEqual([
      'error.body.code',
      'flag.error.flag-target-not-found',
      'register.error.agent-not-found',
      'sponsor.error.agent-not-found',
      'sponsor.error.sponsor-not-found',
      'subsidy.error.agent-not-found',
      'subsidy.error.subsidy-not-found',
    ]);
  });
});
