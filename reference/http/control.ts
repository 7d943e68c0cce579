import { timingSafeEqual } from 'node:crypto';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { agentHashPattern } from '../../spec/formats.js';
import { accountOf, balanceOf, fund, transfer } from '../ledger/ledger.js';
import { fingerprint } from '../registry/fingerprint.js';
import { revokeKey } from '../registry/keys.js';
import { rowOf } from '../registry/state.js';
import { catchUp } from '../service.js';
import type { Command } from '../store/journal.js';
import { lastResort } from './app.js';
import { readBody } from './body.js';
import { arrive, type Host, resetHost } from './host.js';

/** What a control call answers: a status and a body. */
interface Outcome {
  readonly status: number;
  readonly body: object;
}

const done = (body: object): Outcome => ({ status: 200, body });
const refused = (status: number, code: string, error: string): Outcome => ({ status, body: { error, code } });

/** When a control call came, and what its path named. */
interface Moment {
  readonly nowMs: number;
  readonly params: Readonly<Record<string, string>>;
}

/** One call of the control API. A body that its schema refuses is 400 VALIDATION. */
interface ControlCall<S extends z.ZodType = z.ZodType> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly body: S | null;
  readonly run: (host: Host, body: z.output<S>, moment: Moment) => Outcome;
}

function call<S extends z.ZodType>(method: 'get' | 'post', path: string, body: S | null, run: ControlCall<S>['run']) {
  return { method, path, body, run } as unknown as ControlCall;
}

const lamports = z.int().min(0);
const address = z
  .string()
  .min(32)
  .max(44)
  .regex(/^[1-9A-HJ-NP-Za-km-z]+$/, 'must be base58');
/** A century: more would be a slip, and every anchor of it is issued. */
const ADVANCE_MS_MAX = 100 * 366 * 86_400_000;
/** Anchors that one call issues: more would keep the server busy for seconds. */
const ADVANCE_ANCHORS_MAX = 1_000_000;

const ADVANCE = 'clock/advance';

/** 9999-12-30T23:59:59.999Z: later, times in replies would no longer have a year of four digits (section 2). */
const CLOCK_MS_MAX = 253_402_214_399_999;

const advanceBody = z.union([
  z.strictObject({ ms: z.int().min(0).max(ADVANCE_MS_MAX) }),
  z.strictObject({ anchors: z.int().min(1).max(ADVANCE_ANCHORS_MAX) }),
]);

function advance(host: Host, body: z.output<typeof advanceBody>, { nowMs }: Moment): Outcome {
  const { clock, service } = host;
  if (clock.advance === undefined) {
    return refused(409, 'CLOCK_RUNS', 'this clock moves by itself; start the server with --clock manual');
  }
  const intervalMs = service.registry.protocol.anchor.intervalSec * 1_000;
  const toMs = 'ms' in body ? nowMs + body.ms : service.nextAnchorMs + (body.anchors - 1) * intervalMs;
  if (toMs > CLOCK_MS_MAX) return refused(400, 'VALIDATION', 'the clock does not go past the year 9999');
  const due = service.stalled ? 0 : Math.floor((toMs - service.nextAnchorMs) / intervalMs) + 1;
  if (due > ADVANCE_ANCHORS_MAX) {
    return refused(
      400,
      'VALIDATION',
      `that would issue ${due} anchors, more than ${ADVANCE_ANCHORS_MAX}; go in steps or stall`,
    );
  }
  clock.advance(toMs - nowMs);
  catchUp(service, toMs);
  return done({ now_ms: toMs, anchor_index: service.anchors.latestIndex });
}

const transferBody = z.strictObject({
  from: address,
  to: address,
  lamports,
  status: z.enum(['confirmed', 'pending', 'failed']).optional(),
});

function makeTransfer(host: Host, body: z.output<typeof transferBody>, { nowMs }: Moment): Outcome {
  const { ledger } = host.service;
  const from = accountOf(ledger, body.from);
  const to = accountOf(ledger, body.to);
  const signature = transfer(ledger, { from, to, lamports: body.lamports, status: body.status ?? 'confirmed', nowMs });
  if (signature !== undefined) return done({ signature });
  return refused(409, 'INSUFFICIENT_FUNDS', `${body.from} holds ${balanceOf(ledger, from)} lamports`);
}

const walletBody = z.strictObject({ address, lamports });

function fundWallet(host: Host, body: z.output<typeof walletBody>): Outcome {
  const { ledger } = host.service;
  if (body.lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) {
    return refused(400, 'VALIDATION', 'lamports: more money than the ledger can count');
  }
  const account = accountOf(ledger, body.address);
  fund(ledger, account, body.lamports);
  return done({ address: body.address, lamports: balanceOf(ledger, account) });
}

function revoke(host: Host, hash: string): Outcome {
  const { registry } = host.service;
  const agent = agentHashPattern(registry.protocol).test(hash) ? rowOf(registry, hash.toLowerCase()) : -1;
  if (agent < 0) return refused(404, 'AGENT_NOT_FOUND', 'no agent has this hash');
  revokeKey(registry, agent);
  return done({ ok: true, agent_hash: hash.toLowerCase() });
}

const calls: readonly ControlCall[] = [
  call('post', ADVANCE, advanceBody, advance),
  call('post', 'ledger/wallets', walletBody, fundWallet),
  call('post', 'ledger/transfers', transferBody, makeTransfer),
  call('post', 'anchors/stall', z.strictObject({ on: z.boolean() }), (host, { on }) => {
    host.service.stalled = on;
    return done({ stalled: on });
  }),
  call('post', 'agents/:hash/revoke-key', z.strictObject({}), (host, _body, { params }) =>
    revoke(host, params['hash'] ?? ''),
  ),
  call('get', 'fingerprint', null, (host) => done({ sha256: fingerprint(host.service.registry) })),
  call('post', 'reset', z.strictObject({ seed: z.int().min(0).optional() }), (host, { seed }, { nowMs }) => {
    resetHost(host, seed ?? host.service.options.seed, nowMs);
    return done({ ok: true, seed: host.service.options.seed });
  }),
];

/** The control API: what a test may do and a client may not. Every call needs the bearer token. */
export function createControlApp(host: Host, token: string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requireToken(token));
  app.get('/control/v1/capabilities', (_req, res) => write(res, done(capabilities(host))));
  for (const each of calls) app[each.method](`/control/v1/${each.path}`, (req, res) => runCall(host, each, req, res));
  app.use((_req, res) => write(res, refused(404, 'NOT_FOUND', 'no control call has this path and method')));
  app.use(lastResort);
  return app;
}

function capabilities(host: Host) {
  const served = calls.filter(({ path }) => path !== ADVANCE || host.clock.advance !== undefined);
  return { calls: served.map(({ path }) => path) };
}

function requireToken(token: string): RequestHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return (req, res, next) => {
    const given = Buffer.from(req.headers.authorization ?? '');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) next();
    else write(res, refused(401, 'AUTH_MISSING', 'send Authorization: Bearer <control token>'));
  };
}

async function runCall(
  host: Host,
  { body: schema, path, run }: ControlCall,
  req: Request,
  res: Response,
): Promise<void> {
  const params = req.params as Readonly<Record<string, string>>;
  if (schema === null) return write(res, run(host, undefined, { nowMs: arrive(host), params }));
  const raw = await readBody(req, res, host.service.registry.protocol.body.bytesMax);
  if (!raw.ok) return write(res, refused(raw.row.status, raw.row.code, raw.detail ?? raw.row.cause));
  const parsed = schema.safeParse(raw.value);
  if (parsed.success) {
    const nowMs = arrive(host);
    const outcome = run(host, parsed.data, { nowMs, params });
    if (outcome.status === 200) {
      // An advance is recorded by where it led: its own time is over.
      const at = path === ADVANCE ? host.clock.nowMs() : nowMs;
      host.record?.({ at, name: `control:${path}`, agent: -1, body: parsed.data, given: params });
    }
    return write(res, outcome);
  }
  const issue = parsed.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  write(res, refused(400, 'VALIDATION', `${at}${issue?.message ?? 'the body is invalid'}`));
}

function write(res: Response, { status, body }: Outcome): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify(body));
}

/** Applies a recorded control call again, on a host whose time is that of the record. */
export function replayControl(host: Host, { name, at, body, given }: Command): void {
  const found = calls.find(({ path }) => `control:${path}` === name);
  if (found === undefined) throw new Error(`${name} is no command of this version`);
  if (found.path !== ADVANCE) found.run(host, body, { nowMs: at, params: given });
}
