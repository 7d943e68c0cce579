import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beatAnchorFirstChecks } from '../conformance/checks/beat-anchor.js';
import { allChecks } from '../conformance/checks/index.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import { type Check, levelOf } from '../conformance/trial/check.js';
import { httpTransport, type Transport, type WireReply } from '../conformance/wire/transport.js';
import type { Running } from '../reference/http/server/server.js';
import type { CheckResult } from '../reports/conformance-result.js';
import { withOverlay } from '../spec/overlay.js';
import { type Deployed, deployed, startReferenceHere, targetOf } from '../test/fixtures/target.js';

/** How one reply is broken on purpose. */
type Break = (reply: WireReply) => WireReply;

const asJson = (reply: WireReply): Record<string, unknown> | undefined => {
  const value: unknown = JSON.parse(reply.body === '' ? 'null' : reply.body);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
};

const breaks: Readonly<Record<string, Break>> = {
  'accepted instead': (reply) => ({ ...reply, status: 200 }),
  'limited instead': (reply) => ({
    ...reply,
    status: 429,
    headers: { ...reply.headers, 'retry-after': '1' },
    body: '{"error":"no","code":"RATE_LIMITED","retry_after_ms":1000}',
  }),
  'refused instead': (reply) => ({ ...reply, status: 403, body: '{"error":"no","code":"BROKEN"}' }),
  'another code': (reply) => ({ ...reply, body: JSON.stringify({ ...asJson(reply), code: 'BROKEN' }) }),
  'an empty object': (reply) => ({ ...reply, body: '{}' }),
};

/**
 * Beats a tenth as hard as the specification's, and tiers and caps that a few heartbeats reach: each check is run several
 * times, and computes what it proves.
 */
const lighter = {
  beat: { difficulty: 100 },
  heartbeat: {
    tier1HeartbeatsMax: 6,
    tier2HeartbeatsMax: 12,
    narrowTaskCap: 12,
    autonomousCap: 15,
    orchestratorCap: 20,
  },
};

const servers = new Map<Deployed, Running>();
/** A server whose time has not moved, for the checks that run before any does. */
let untouched: Running | undefined;
const http = httpTransport();
beforeAll(async () => {
  for (const kind of deployed) servers.set(kind, await startReferenceHere(withOverlay(lighter), kind));
  untouched = await startReferenceHere(withOverlay(lighter));
});
afterAll(async () => {
  await http.close();
  for (const server of servers.values()) await server.close();
  await untouched?.close();
});

/** A server that the check can judge. */
function serverFor(check: Check): { readonly server: Running; readonly target: Target } {
  if (beatAnchorFirstChecks.includes(check)) {
    if (untouched === undefined) throw new Error('the servers have not started');
    return { server: untouched, target: targetOf(untouched, 'devnet', lighter) };
  }
  for (const [kind, server] of servers) {
    const target = targetOf(server, kind, lighter);
    if (check.needs.includes('webhooks') && target.webhooks === undefined) continue;
    if (check.unfit?.(target) === undefined) return { server, target };
  }
  throw new Error(`no server fits ${check.id}`);
}

let seed = 0;

/** Runs one check with the `nth` reply of registry or beats service broken; counts the replies. */
async function runBroken(
  check: Check,
  nth: number,
  change: Break,
): Promise<{ result: CheckResult; replies: WireReply[] }> {
  const replies: WireReply[] = [];
  const { server, target } = serverFor(check);
  const transport: Transport = async (request) => {
    const reply = await http.send(request);
    if (request.url.startsWith(server.controlUrl)) return reply;
    replies.push(reply);
    return replies.length - 1 === nth ? change(reply) : reply;
  };
  seed += 1;
  const options = { seed, concurrency: 1, only: [check.id], transport, unprobed: true } as const;
  const { checks } = await conform(target, { ...options, toolVersion: 'test', nowWallMs: Date.now });
  return { result: checks[0] as CheckResult, replies };
}

/** Whether the check saw the fault with the force that it has: as a failure, or as an advisory where it speaks for a decision. */
function judged({ level, verdict }: CheckResult): boolean {
  return verdict === 'fail' || (level === 'decision' && verdict === 'advisory');
}

/** Whether the check saw the fault at all: that this very thing is refused may rest on a decision within a must check. */
function noticed({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'advisory';
}

/** The first break, of the last replies first, that the check notices. */
async function findNoticed(
  check: Check,
  kinds: readonly string[],
  suits: (reply: WireReply) => boolean,
  seen: (result: CheckResult) => boolean,
): Promise<string | undefined> {
  const { result, replies } = await runBroken(check, -1, (reply) => reply);
  expect(result, `${check.id} on replies that are not broken`).toMatchObject({ verdict: 'pass' });
  const last = replies
    .map((reply, nth) => ({ reply, nth }))
    .filter(({ reply }) => suits(reply))
    .slice(-4)
    .toReversed();
  for (const { nth } of last) {
    for (const kind of kinds) {
      const broken = await runBroken(check, nth, breaks[kind] as Break);
      if (seen(broken.result)) return `${kind}, reply ${nth}`;
    }
  }
  return undefined;
}

const refused = ({ status }: WireReply): boolean => status >= 400;
const accepted = ({ status }: WireReply): boolean => status < 400;
const unlimited = ({ status }: WireReply): boolean => status !== 429;

/** The reply to break for the twin: a limit check's twin is a request within the limit, however it is answered. */
function twinOf({ id }: Check): readonly [kinds: readonly string[], suits: (reply: WireReply) => boolean] {
  return /\/(?:.*-)?limit/.test(id) ? [['limited instead'], unlimited] : [['refused instead'], accepted];
}

const anyKind = ['an empty object', 'refused instead', 'accepted instead', 'limited instead', 'another code'];

describe('every check fails on a reply that is broken on purpose', () => {
  it.each(allChecks.map((check) => [check.id, check] as const))('%s', async (_id, check) => {
    expect(await findNoticed(check, anyKind, () => true, judged)).toBeDefined();
  });
});

describe('every refusal check sees a refusal that is accepted, and fails when its mended twin is refused', () => {
  it.each(allChecks.filter(({ refusal }) => refusal === true).map((check) => [check.id, check] as const))(
    '%s',
    async (_id, check) => {
      expect(await findNoticed(check, ['accepted instead'], refused, noticed), 'refusal accepted').toBeDefined();
      const [kinds, suits] = twinOf(check);
      expect(await findNoticed(check, kinds, suits, judged), 'twin refused').toBeDefined();
    },
  );
});

it('there are at least 80 checks, and at least 40 of them are refusals', () => {
  expect(allChecks.length).toBeGreaterThanOrEqual(80);
  expect(allChecks.filter(({ refusal }) => refusal === true).length).toBeGreaterThanOrEqual(40);
  expect(new Set(allChecks.map(levelOf))).toEqual(new Set(['must', 'decision']));
});
