import type { Check } from './check.js';
import { type ConformOptions, conform } from './runner.js';
import { bareTarget, type Target } from './target.js';
import type { Transport, WireReply, WireRequest } from './transport.js';

export const START_MS = 1_767_225_600_000;
export const TOKEN = 'the-token-of-the-control-api';

/** How a route of the fake answers. */
export type Answer = (request: WireRequest) => WireReply | Promise<WireReply>;

/** A reply with a JSON body. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): WireReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A target in memory: the probe, a control API with a clock, and whatever a test adds by `METHOD path`. It refuses the rest. */
export function fake(routes: Readonly<Record<string, Answer>> = {}) {
  const seen: WireRequest[] = [];
  let nowMs = START_MS;
  const all: Record<string, Answer> = {
    'GET /api/v1/.well-known/authority-key': () => json(200, { key_id: 'k' }),
    'GET /control/v1/capabilities': () => json(200, { calls: ['clock/advance'] }),
    'POST /control/v1/clock/advance': ({ body }) => {
      nowMs += (JSON.parse(body ?? '{}') as { ms: number }).ms;
      return json(200, { now_ms: nowMs, anchor_index: 0 });
    },
    ...routes,
  };
  const transport: Transport = async (request) => {
    seen.push(request);
    const answer = all[`${request.method} ${new URL(request.url).pathname}`];
    return answer === undefined ? json(400, { error: 'not now' }) : answer(request);
  };
  return { transport, seen, paths: () => seen.map(({ url }) => new URL(url).pathname) };
}

/** A target that offers nothing but its URL. */
export const local: Target = { ...bareTarget('http://127.0.0.1:1') };
/** A target with a control API and addresses that it tells apart. */
export const controlled: Target = {
  ...local,
  control: { url: 'http://127.0.0.1:2', token: TOKEN },
  clientIp: 'x-forwarded-for',
};

/** A check of one must clause. */
export function check(id: string, run: Check['run'], more: Partial<Check> = {}): Check {
  const clauses = ['register.route'];
  return { id, title: id, clauses, needs: [], registers: 0, requests: 1, writes: false, run, ...more };
}

/** A run of these checks, by a wall clock that ticks a millisecond a look. */
export function run(
  target: Target,
  checks: readonly Check[],
  transport: Transport,
  more: Partial<ConformOptions> = {},
) {
  let wallMs = 0;
  const nowWallMs = (): number => {
    wallMs += 1;
    return wallMs;
  };
  return conform(target, { seed: 1, toolVersion: '0', nowWallMs, transport, checks, ...more });
}

/** Checks that pass and fail, and what makes a check a decision's. */
export const pass = check('a/pass', async () => {});
export const fail = check('a/fail', async (t) => t.equal('the answer', 41, 42));
export const decision = { clauses: ['clock.billing-epoch'] };
