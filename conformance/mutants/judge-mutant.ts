/** Runs the suite against one mutant, and reports which evidence killed it. */
import { entailedBy } from '../../spec/clauses/entailed.js';
import { clauseById } from '../../spec/clauses/index.js';
import { matches } from '../../spec/endpoint.js';
import { endpointOf } from '../../spec/endpoint-ids.js';
import type { ErrorKey } from '../../spec/errors.js';
import { mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { errorRows } from '../../spec/parts.js';
import { type Protocol, protocol, protocolNumbers } from '../../spec/protocol.js';
import { allChecks } from '../checks/index.js';
import {
  CHEAP,
  type Deployment,
  deploymentNames,
  type InProcess,
  loadReference,
  type Modules,
  startInProcess,
} from '../in-process/reference.js';
import { narrowChecks } from '../run/reach.js';
import { conform } from '../run/runner.js';
import { type Check, stemOf } from '../trial/check.js';
import type { Transport, WireReply } from '../wire/transport.js';
import type { Mutant, Patch } from './mutant.js';

/** Killed at must level by evidence for its own clause, only by evidence for another clause, only as an advisory, or not at all. */
type Outcome = 'killed' | 'killed-elsewhere' | 'advisory' | 'survived';

/** The outcome of one mutant. */
export interface MutantResult {
  readonly id: string;
  readonly title: string;
  readonly clause: string;
  readonly deployment: Deployment;
  readonly outcome: Outcome;
  /** Must clauses that fail in addition to its own clause and those that it entails. */
  readonly collateral: readonly string[];
  /** The checks that found it at must level. */
  readonly killers: readonly string[];
  /** The checks that were run. */
  readonly checks: number;
  /** Under these numbers its own clause cannot be judged. */
  readonly unreachable?: boolean;
}

/** The checks that can find a mutant of a clause: those about the clause, and those of the endpoints of mutant and clause. */
export function checksFor({ id, clause, patch }: Mutant<object>): readonly Check[] {
  const own = allChecks.filter(({ clauses }) => clauses.includes(clause));
  const stems = new Set([...narrowChecks(own).map(stemOf), stemOf({ id })]);
  if ('endpoint' in patch) stems.add(endpointOf(patch.endpoint as never).stem);
  return allChecks.filter((check) => own.includes(check) || (stems.has(stemOf(check)) && !isLong(check)));
}

/** All checks but the long ones that are not about the clause. */
export function withOthers(mutant: Mutant<object>): readonly Check[] {
  const near = checksFor(mutant);
  return allChecks.filter((check) => !isLong(check) || near.includes(check));
}

/** Checks that send thousands of requests run only for their own clauses. */
function isLong({ requests }: Check): boolean {
  return requests > 400;
}

/** The deployment in which a mutant shows: its own, or the first that fits a check of its clause. */
export function deploymentOf(mutant: Mutant<object>): Deployment {
  if (mutant.deployment !== undefined) return mutant.deployment;
  const own = narrowChecks(allChecks.filter(({ clauses }) => clauses.includes(mutant.clause)));
  const needsWebhooks = own.some(({ needs }) => needs.includes('webhooks'));
  const names = needsWebhooks ? (['webhooks', ...deploymentNames] as const) : deploymentNames;
  return names.find((name) => own.some((check) => fits(check, name))) ?? 'devnet';
}

function fits(check: Check, deployment: Deployment): boolean {
  if (check.needs.includes('webhooks') && deployment !== 'webhooks') return false;
  return check.unsuitableFor?.(fittingTargets[deployment] as never) === undefined;
}

/** The settings of a target that decide which checks fit it. */
const base = { network: 'devnet', beatsRequired: true, byoWallet: true, payments: { kind: 'control' }, protocol };
const fittingTargets: Readonly<Record<Deployment, object>> = {
  devnet: base,
  webhooks: { ...base, webhooks: {} },
  secret: { ...base, registrationSecret: 'secret' },
  mainnet: { ...base, network: 'mainnet', registrationSecret: 'secret' },
  free: { ...base, beatsRequired: false, byoWallet: false },
};

/** Starts a server with a mutant. */
export type Start = (deployment: Deployment) => Promise<Pick<InProcess, 'target' | 'send' | 'close'>>;

/** Runs the checks that can find a mutant against servers with it. If they do not kill it, the others run, too, since the model judges all their exchanges. */
export async function judgeMutant(mutant: Mutant<object>, start: Start): Promise<MutantResult> {
  const near = checksFor(mutant);
  const few = await judgedBy(near, mutant, start);
  if (few.outcome === 'killed') return few;
  const more = await judgedBy(withOthers(mutant), mutant, start);
  return more.outcome === 'killed' || few.outcome === 'survived' ? more : few;
}

async function judgedBy(checks: readonly Check[], mutant: Mutant<object>, start: Start): Promise<MutantResult> {
  const { id, title, clause } = mutant;
  const deployment = deploymentOf(mutant);
  const server = await start(deployment);
  try {
    const result = await conform(server.target, {
      seed: 1,
      toolVersion: 'mutants',
      nowWallMs: Date.now,
      checks,
      transport: server.send,
      unprobed: true,
    });
    const failing = result.clauses
      .filter(({ state, level }) => state === 'fails' && level === 'must')
      .map((one) => one.id);
    const advised = result.clauses.some(({ state, level }) => state === 'fails' && level === 'decision');
    const entailed = new Set(entailedBy(clause));
    const own = failing.includes(clause);
    const outcome = own ? 'killed' : failing.length > 0 ? 'killed-elsewhere' : advised ? 'advisory' : 'survived';
    const collateral = failing.filter((one) => one !== clause && !entailed.has(one));
    const killers = result.findings.filter(({ level }) => level === 'must').flatMap((finding) => finding.checks);
    return {
      id,
      title,
      clause,
      deployment,
      outcome,
      collateral,
      killers: [...new Set(killers)],
      checks: checks.length,
      unreachable: result.clauses.some((one) => one.id === clause && one.why?.kind === 'unreachable'),
    };
  } finally {
    await server.close();
  }
}

/** How a reference with a mistake is started: its numbers, and its modules if they are changed. */
interface StartOptions {
  readonly deployment: Deployment;
  readonly overlay?: Overlay;
  readonly modules?: Modules;
}

/** A reference in this process with one mistake. */
export async function startMutant(
  { patch, overlay: own = {} }: Mutant<Patch | object>,
  { deployment, overlay = {}, modules }: StartOptions,
): Promise<InProcess> {
  const base = mergedOverlay(mergedOverlay(overlay, CHEAP), own);
  const held = withOverlay(base);
  const numbers =
    'number' in patch ? withOverlay(mergedOverlay(base, overlayOf(patch.number, valueUnder(patch, held)))) : held;
  const server = startInProcess(modules ?? (await loadReference()), { seed: 1, numbers, held, deployment });
  return 'endpoint' in patch ? { ...server, send: changing(server.send, patchUnder(patch, held)) } : server;
}

/**
 * The wrong value of a number's mutant under an overlay: as far from the overlay's value as it was from the specification's. A mutant that is one
 * too high stays one too high.
 */
function valueUnder({ number, value }: { readonly number: string; readonly value: number }, held: Protocol): number {
  const [stated, right] = [protocol, held].map(
    (numbers) => protocolNumbers(numbers).find(({ path }) => path === number)?.value ?? value,
  ) as [number, number];
  const moved = right + value - stated;
  return right === stated || moved < 0 ? value : moved;
}

/** A patch of a refusal whose row has another status or code in the dialect, with the same deviation. */
function patchUnder(patch: ReplyPatch, held: Protocol): ReplyPatch {
  const key = `${endpointOf(patch.endpoint as never).stem}/${patch.code}` as ErrorKey;
  const row = errorRows(held)[key];
  if (patch.code === undefined || row === undefined) return patch;
  const answer = 'answer' in patch && patch.answer === row.status ? { answer: row.status === 400 ? 422 : 400 } : {};
  return { ...patch, code: row.code, ...answer };
}

type ReplyPatch = Extract<Patch, { readonly endpoint: string }>;

/** A transport that changes the replies of one endpoint: all, or those with a status, and with a code. */
function changing(send: Transport, patch: ReplyPatch): Transport {
  const endpoint = endpointOf(patch.endpoint as never);
  const origin = endpoint.service === 'beats' ? ':2' : ':1';
  return async (request) => {
    const reply = await send(request);
    const url = new URL(request.url);
    if (!url.origin.endsWith(origin) || !matches(endpoint, request.method, url.pathname)) return reply;
    const json: unknown = JSON.parse(reply.body === '' ? 'null' : reply.body);
    if (typeof json !== 'object' || json === null) return reply;
    if (!concerns(patch, reply, json as Record<string, unknown>)) return reply;
    if ('answer' in patch) return { ...reply, status: patch.answer };
    return { ...reply, body: JSON.stringify(changed(json, 'remove' in patch ? patch.remove : patch.set, patch)) };
  };
}

function concerns(patch: ReplyPatch, { status }: WireReply, json: Readonly<Record<string, unknown>>): boolean {
  if (patch.code !== undefined) return json['code'] === patch.code;
  return patch.status === undefined ? status >= 200 && status < 300 : status === patch.status;
}

/** A copy without the field at a path, or with another value of it; `*` stands for every item of a list. */
function changed(json: unknown, path: string, patch: ReplyPatch): unknown {
  if (typeof json !== 'object' || json === null) return json;
  const [first = '', ...rest] = path.split('.');
  if (Array.isArray(json)) return first === '*' ? json.map((item) => changed(item, rest.join('.'), patch)) : json;
  const { [first]: value, ...others } = json as Record<string, unknown>;
  if (value === undefined && 'remove' in patch) return json;
  if (rest.length > 0) return { ...json, [first]: changed(value, rest.join('.'), patch) };
  return 'set' in patch ? { ...json, [first]: patch.to } : others;
}

/** Throws `RangeError` for a mutant that breaks no must clause, or one that no check can judge. */
export function assertSound({ id, clause }: Mutant<object>): void {
  const { level, excluded } = clauseById(clause);
  if (level !== 'must') throw new RangeError(`${id} breaks ${clause}, which is no statement of the text`);
  if (excluded !== undefined) throw new RangeError(`${id} breaks ${clause}, which no check can judge: ${excluded}`);
}
