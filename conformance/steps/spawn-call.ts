/** The calls that spawn a child (3.6), and the cost of a child (4.8). Assertions about them are in the checks. */
import { formulaOf } from '../../spec/formula/formulas.js';
import type { Reply } from '../assertions/reply.js';
import { registerChild as child, secretHeader } from '../moves/register.js';
import { spawn } from '../moves/spawn.js';
import type { CallOptions } from '../trial/caller.js';
import { type Agent, agentOf } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { spendWork } from './work.js';

/** 4.8: the cost of a child in beats, computed in whole numbers (D-31). */
export function costBeats({ protocol }: Pick<Trial, 'protocol'>, depth: number, siblings: number): number {
  const formula = formulaOf(protocol, 'spawn.costBeats');
  if (formula !== undefined) return formula(depth, siblings) ?? Number.MAX_SAFE_INTEGER;
  const { spawn: numbers } = protocol;
  const scaled = (value: bigint, numerator: number, denominator: number, power: number): bigint =>
    (value * BigInt(numerator) ** BigInt(power)) / BigInt(denominator) ** BigInt(power);
  const byDepth = scaled(
    BigInt(numbers.baseBeats),
    numbers.depthFactorNumerator,
    numbers.depthFactorDenominator,
    depth,
  );
  return Number(scaled(byDepth, numbers.siblingFactorNumerator, numbers.siblingFactorDenominator, siblings));
}

/** 4.8: the possible costs of a child, since the text leaves the arithmetic open: exact, or as floating point rounds it. */
export function costsOf(t: Trial, depth: number, siblings: number): readonly number[] {
  if (formulaOf(t.protocol, 'spawn.costBeats') !== undefined) return [costBeats(t, depth, siblings)];
  const { baseBeats, depthFactorNumerator, depthFactorDenominator, ...numbers } = t.protocol.spawn;
  const byDepth = Math.floor(baseBeats * (depthFactorNumerator / depthFactorDenominator) ** depth);
  const factor = numbers.siblingFactorNumerator / numbers.siblingFactorDenominator;
  return [...new Set([costBeats(t, depth, siblings), Math.floor(byDepth * factor ** siblings)])];
}

/** The preflight: one spawn call with a receipt for `beats` beats. */
export function preflight(t: Trial, parent: Agent, child_name: string, beats: number): Promise<Reply> {
  return spendWork(t, beats, t.row('spawn/VALIDATION').code, (beats_receipt) =>
    t.send(spawn(parent, { child_name, beats_receipt })),
  );
}

/** The largest number of beats that a check computes for a child. */
const BEATS_MAX = 40_000;

/**
 * Sends the preflight for a child that costs `beats` beats by D-31. If these are too few, sends another with the number that the probe shows: the
 * text does not say whether the depth of the parent or of the child counts.
 */
export async function fundedPreflight(t: Trial, parent: Agent, child_name: string, beats: number): Promise<Reply> {
  const reply = await preflight(t, parent, child_name, beats);
  if (reply.get('code') !== t.row('spawn/INSUFFICIENT_BEATS').code) return reply;
  const asked = (await t.send(spawn(parent, { child_name }))).get('required_beats');
  if (typeof asked !== 'number' || asked <= beats || asked > BEATS_MAX) return reply;
  return preflight(t, parent, child_name, asked);
}

/** Requests the authorization of a child. One spawn call. */
export async function authorizationFor(
  t: Trial,
  parent: Agent,
  child_name: string,
  beats = costBeats(t, 0, 0),
): Promise<string> {
  const reply = await fundedPreflight(t, parent, child_name, beats);
  return t.mustSucceed(reply).string('spawn_authorization');
}

/** Registers a child: mode 5 of 4.2, with the parent's key. One registration. */
export function registerChild(
  t: Trial,
  key: string | undefined,
  body: unknown,
  how: Pick<CallOptions, 'mayMiss' | 'mayLimit' | 'address'> = {},
): Promise<Reply> {
  return t.send(child({ key }, body), { headers: secretHeader(t.target), ...how });
}

/** Settings of a child, in addition to its parent. */
interface ChildOptions {
  /** The parent's depth; 0 without it. */
  readonly depth?: number;
  /** Children that the parent has; 0 without it. */
  readonly siblings?: number;
  /** Whether the lineage link is made too, by one more spawn call. */
  readonly link?: boolean;
  /** Starts the child's beat chain. */
  readonly init?: boolean;
}

/** A child of a parent, authorized by a receipt. One registration, two spawn calls. */
export async function makeChild(t: Trial, parent: Agent, options: ChildOptions = {}): Promise<Agent> {
  const { depth = 0, siblings = 0, link = true, init = false } = options;
  const name = t.word();
  const spawn_authorization = await authorizationFor(t, parent, name, costBeats(t, depth, siblings));
  const reply = t.mustSucceed(await registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization }));
  // 2.1: the text does not show the reply; if it names a parent, it must be the right one.
  if (typeof reply.get('parent') === 'string') t.shows('agent.field.parent').field(reply, 'parent', parent.hash);
  if (typeof reply.get('depth') === 'number') t.shows('agent.field.depth').field(reply, 'depth', depth + 1);
  const made = agentOf(name, reply);
  if (link) t.mustSucceed(await t.send(spawn(parent, { child_name: name, child_hash: made.hash })));
  if (init) t.mustSucceed(await t.call('init', { key: made.key }));
  return made;
}
