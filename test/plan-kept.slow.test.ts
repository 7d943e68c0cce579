/**
 * Compares what every check does with plan.json. `npm run plan` runs this file to write it (`PLAN=write`), for some checks with `ONLY='after/* init/first'`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { cheap } from '../conformance/in-process/reference.js';
import { type Plan, plan } from '../conformance/run/plan.js';
import { conform } from '../conformance/run/runner.js';
import { glob } from '../conformance/run/select.js';
import type { Target } from '../conformance/target/target.js';
import type { Check } from '../conformance/trial/check.js';
import { RUN_TRIAL_ID } from '../conformance/trial/session.js';
import type { Transport, WireReply, WireRequest } from '../conformance/wire/transport.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { type App, undocumented } from './fixtures/documented.js';
import { count, jsonOf, measure, nothing, rowsOf, rowsWith, textOf, type Used } from './fixtures/measured-plan.js';
import { type Deployed, deployed, type Judged, lighter, startJudged } from './fixtures/target.js';

/** How hard beats are changes nothing of what is sent. */
const protocol = cheap;

/** Beats that are cheap, and cost as much more than those of receipts as the specification has it. */
const proportional = { beat: { difficulty: 40 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } } as const;

/** A transport that notes what each check, and the run by itself, send, and each reply that the reference does not document. */
function watching(inner: Transport, target: Target) {
  const byOwner = new Map<string, Used>();
  const faults = new Set<string>();
  const facts = {
    protocol: target.protocol,
    dialect: target.dialect,
    loopbackWebhooks: target.webhooks !== undefined,
  };
  const urls: readonly (readonly [App, string | undefined | null])[] = [
    ['registry', target.baseUrl],
    ['beats', target.beatsUrl],
    ['control', target.control?.url],
  ];
  const note = ({ method, url }: WireRequest, { status, headers, body }: WireReply): void => {
    const app = urls.find(([, base]) => base && new URL(url).origin === new URL(base).origin)?.[0];
    const path = new URL(url).pathname;
    if (app === undefined) return;
    const answered = { app, method, path, status, contentType: headers['content-type'], body: jsonOf(body) };
    const fault = undocumented(facts, answered);
    if (fault !== null) faults.add(fault);
  };
  const send: Transport = async (request) => {
    const { owner = 'suite' } = request;
    const used = byOwner.get(owner) ?? nothing();
    count(used, request);
    byOwner.set(owner, used);
    const reply = await inner(request);
    note(request, reply);
    if (reply.status === 429 && reply.body.includes('RATE_LIMITED')) used.limited += 1;
    return reply;
  };
  const of = (owner: string): Used => byOwner.get(owner) ?? nothing();
  return { send, of, all: () => [...byOwner.values()], faults };
}

/** Deliveries come in real time: on a busy machine they may be too late to be judged. */
const DELIVERIES = /^partner-webhook\/delivery-/;

/** Races are run again where they show nothing, steps towards a limit end where it is met, and the age of the service is not chosen. */
const mayNeedLess = (id: string): boolean =>
  id === 'fees-summary/split-years' || DELIVERIES.test(id) || /^(at-once|limits)\//.test(id);

/** Checks of limits meet them. Any other that does is taken to have been held up, and what it finds after that for nothing. */
const meetsLimits = ({ id, clauses, readsItself }: Check): boolean =>
  // A derived check sends its requests whatever the limits say.
  readsItself === true ||
  /^(at-once\/|dialect\/(client-ip-last|timestamp-day)$)/.test(id) ||
  clauses.some((clause) => /^(limit\.|auth\.rate-bucket)/.test(clause));

const registrationsOf = ({ registers, walletRegisters, tokens }: Used): number => registers + walletRegisters + tokens;

/** The differences between what a check declares and what it did. One that deliveries came too late for has ended before its end. */
function brokenWords(check: Check, used: Used, isLate: boolean): readonly string[] {
  const { id, requests, writes, registers, walletRegisters = 0, tokens = 0 } = check;
  const lamports = check.lamports?.(protocol) ?? 0;
  const registrations = registers + walletRegisters + tokens;
  const mayDoLess = isLate || mayNeedLess(id);
  const rows: readonly (readonly [string, boolean])[] = [
    [`sends ${used.requests} requests, of ${requests}`, used.requests > requests],
    [`declares ${requests} requests for ${used.requests}`, requests > 2 * used.requests + 10 && !mayDoLess],
    [`registers ${registrationsOf(used)} times, of ${registrations}`, registrationsOf(used) > registrations],
    [`pays ${used.lamports} lamports, of ${lamports}`, used.lamports > lamports],
    [`declares ${lamports} lamports for ${used.lamports}`, lamports > 2 * used.lamports + 10 && !mayDoLess],
    [`writes, undeclared: ${used.writing[0]}`, used.writing.length > 0 && !writes],
    ['declares writes and makes none', used.writing.length === 0 && writes],
    [`meets a rate limit ${used.limited} times`, used.limited > 0 && !meetsLimits(check)],
  ];
  return rows.flatMap(([fault, broken]) => (broken ? [`${id} ${fault}`] : []));
}

const awaiting = new Set(allChecks.filter(({ needs }) => needs.includes('webhooks')).map(({ id }) => id));

/** The clauses of checks that wait for no delivery. */
const judgedInTime = new Set(
  allChecks.filter(({ id }) => !awaiting.has(id)).flatMap(({ clauses }) => clauses as readonly string[]),
);

const sum = (all: readonly Used[], of: (used: Used) => number): number =>
  all.reduce((total, used) => total + of(used), 0);

interface Run {
  readonly planned: Plan;
  readonly ran: readonly string[];
  readonly late: readonly string[];
  readonly watch: ReturnType<typeof watching>;
  readonly requests: number;
  readonly lamports: number;
  readonly judged: readonly string[];
  /** Clauses that could be judged and were not. */
  readonly open: readonly string[];
}

const judgedIn = ({ clauses }: Pick<ConformanceResult, 'clauses'>): readonly string[] =>
  clauses.filter(({ state }) => state === 'holds').map(({ id }) => id);

async function planAndRun({ target, send }: Omit<Judged, 'close'>, only: readonly string[]): Promise<Run> {
  const options = { seed: 1, only, toolVersion: 'test', nowWallMs: Date.now, looks: false };
  const planned = plan(target, allChecks, options);
  const watch = watching(send, target);
  const result = await conform(target, { ...options, transport: watch.send });
  const { checks, requests, lamports } = result;
  const isLate = ({ id, verdict }: { id: string; verdict: string }): boolean =>
    awaiting.has(id) && (verdict === 'not-tested' || verdict === 'inconclusive');
  expect(checks.filter((one) => one.verdict !== 'pass' && one.verdict !== 'not-tested' && !isLate(one))).toEqual([]);
  // No plan can tell what a limit on the way will hold up, nor how late deliveries come.
  const heldUp = checks.filter((check) => 'reason' in check && check.reason.startsWith('a rate limit made it wait'));
  expect(heldUp.length).toBeLessThan(3);
  const isPlanned = (id: string): boolean => planned.checks.some((one) => one.id === id && one.verdict === undefined);
  const late = checks.filter((one) => isLate(one) && isPlanned(one.id));
  // On a busy machine many come late at once: by themselves they come.
  const again = { ...options, only: late.map(({ id }) => id), transport: send };
  const stillLate = late.length < 3 ? late : (await conform(target, again)).checks.filter(isLate);
  expect(stillLate.length).toBeLessThan(3);
  heldUp.push(...late);
  const ran = checks.filter((check) => check.verdict !== 'not-tested' || heldUp.includes(check)).map(({ id }) => id);
  expect(ran).toEqual(planned.checks.filter(({ verdict }) => verdict === undefined).map(({ id }) => id));
  const open = result.clauses.filter(({ state }) => state !== 'holds' && state !== 'excluded').map(({ id }) => id);
  return { planned, ran, late: late.map(({ id }) => id), watch, requests, lamports, judged: judgedIn(result), open };
}

/** The sums that a plan foretells hold: none is too low. */
function holds({ planned, watch, requests, lamports }: Run): void {
  const { own, writes } = planned;
  expect(planned.requests).toBeGreaterThanOrEqual(requests);
  expect(planned.lamports).toBeGreaterThanOrEqual(lamports);
  expect(planned.registrations).toBeGreaterThanOrEqual(sum(watch.all(), registrationsOf));
  const { requests: sent, clockMoves } = watch.of('suite');
  expect(own.clockMoves).toBeGreaterThanOrEqual(clockMoves - 3);
  expect(own.probes).toBeGreaterThanOrEqual(sent - clockMoves);
  expect(own.shared).toBeGreaterThanOrEqual(watch.of(RUN_TRIAL_ID).requests);
  // The suite's own calls of init lack the key that they need.
  const keyless = watch.of('suite').writing.length;
  expect(writes.requests).toBeGreaterThanOrEqual(sum(watch.all(), ({ writing }) => writing.length) - keyless);
}

/** The checks that are measured, as globs; absent: all of them. */
const only = process.env['ONLY']?.split(/[\s,]+/).map(glob);

it.runIf(process.env['PLAN'] === 'write')('is measured anew', async () => {
  const isMeant = (id: string): boolean => only === undefined || only.some((matches) => matches(id));
  expect(
    allChecks.filter(({ id }) => isMeant(id)),
    'ONLY names no check',
  ).not.toEqual([]);
  const measured = [];
  for (const kind of deployed) {
    const server = await startJudged(kind, { beat: lighter.beat }, { cheap: proportional });
    measured.push(await measure(kind, server, isMeant));
    await server.close();
  }
  const path = new URL('../conformance/plan.json', import.meta.url);
  const rows = only === undefined ? rowsOf(measured) : rowsWith(measured, JSON.parse(readFileSync(path, 'utf8')));
  writeFileSync(path, textOf(rows));
  expect(measured).toHaveLength(deployed.length);
});

describe.skipIf(process.env['PLAN'] === 'write')('the plan of a run', () => {
  const left = new Set(allChecks.map(({ id }) => id));
  const byId = new Map(allChecks.map((check) => [check.id, check]));
  let judgedByAll: readonly string[] = [];
  let openInAll: readonly string[] | undefined;

  // That in which most can be judged comes first; each of the others gets what is left.
  const kinds: readonly Deployed[] = ['webhooks', ...deployed.filter((kind) => kind !== 'webhooks')];
  it.each(kinds)('is kept by every check, and in sum: %s', async (kind) => {
    const server = await startJudged(kind, { beat: lighter.beat });
    try {
      const run = await planAndRun(server, [...left]);
      const words = (id: string) => brokenWords(byId.get(id) as Check, run.watch.of(id), run.late.includes(id));
      const broken = run.ran.flatMap(words);
      expect(broken).toEqual([]);
      expect([...run.watch.faults]).toEqual([]);
      for (const id of run.ran) left.delete(id);
      openInAll = openInAll?.filter((id) => run.open.includes(id)) ?? run.open;
      if (kind === 'webhooks') {
        judgedByAll = run.judged;
        expect(run.ran.length).toBeGreaterThan(400);
        expect(run.planned.requests).toBeLessThan(1.5 * run.requests);
        expect(run.planned.lamports).toBeLessThan(1.5 * run.lamports);
      }
      if (run.ran.length > 0) holds(run);
    } finally {
      await server.close();
    }
  });

  it('has a quick run that judges the clauses of the whole run, with less than half of its requests', async () => {
    const { target, send, close } = await startJudged('webhooks', { beat: lighter.beat });
    try {
      const options = { seed: 1, quick: true, toolVersion: 'test', nowWallMs: Date.now };
      const result = await conform(target, { ...options, transport: send });
      const planned = plan(target, allChecks, options);
      expect(result.checks.map(({ id }) => id)).toEqual(planned.checks.map(({ id }) => id));
      expect(result).toMatchObject({ mode: 'quick', spared: planned.spared, summary: { fail: 0, error: 0 } });
      const judged = new Set(judgedIn(result));
      expect(judgedByAll.filter((id) => !judged.has(id))).toEqual([]);
      expect(result.requests).toBeLessThan(plan(target, allChecks, { ...options, quick: false }).requests / 2);
    } finally {
      await close();
    }
  });

  it('has been compared with what every check does, but for caps that take an overlay or the exhaustive profile, and leaves no clause unjudged', () => {
    expect([...left]).toEqual(['heartbeat/cap-autonomous', 'heartbeat/cap-orchestrator']);
    expect(openInAll?.filter((id) => judgedInTime.has(id))).toEqual([]);
  });

  it('is kept in sum where one address has to do, with what its limits make it send again', async () => {
    const { target, send, close } = await startJudged('devnet', { beat: lighter.beat }, { sockets: true });
    try {
      const narrow = ['work-proof/*', 'beat-verify/*', 'verify-batch/*', 'body/*'];
      const run = await planAndRun({ target: { ...target, clientIp: 'none' }, send }, narrow);
      const again = sum(
        run.ran.map((id) => run.watch.of(id)),
        ({ requests }) => requests,
      );
      const declared = run.ran.reduce((total, id) => total + (byId.get(id) as Check).requests, 0);
      expect(again).toBeLessThanOrEqual(declared + run.planned.own.again);
      expect(run.planned.own.again).toBeGreaterThan(0);
      holds(run);
    } finally {
      await close();
    }
  });
});
