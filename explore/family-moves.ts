/** The moves of a small world about its family: registrations, spawning, links and sponsorships. */

import { registerRoot } from '../reference/registry/register.js';
import { registerChild } from '../reference/registry/register-child.js';
import { spawn } from '../reference/registry/spawn.js';
import { spawnCostBeats } from '../reference/registry/spawn-cost.js';
import { sponsor, unsponsor } from '../reference/registry/sponsor.js';
import * as F from './fields.js';
import { type Cost, FURTHER, isShut, type Move, type Outcome, own, SHUT, script } from './move.js';
import { paidByParent } from './paid-moves.js';
import type { World } from './world.js';

/** The registration of the root. */
export function registration(world: World): Move {
  const { registry, fields } = world;
  return {
    name: 'register the root',
    op: 'register',
    actor: -1,
    uses: [],
    isPossible: (values) => !fields.exists(values, 0),
    play: isShut(world, 'register') ? () => SHUT : () => registerRoot(registry, { name: F.nameOf(0) }, world.nowMs),
    actions: () => [{ op: 'register' }],
  };
}

/** The moves of the root about one child, and those that the child makes with its parent. */
export function childMoves(world: World, child: number): Move[] {
  const { registry, fields } = world;
  const isNext = (values: Int32Array): boolean => fields.exists(values, child - 1) && !fields.exists(values, child);
  const exists = (values: Int32Array): boolean => fields.exists(values, child);
  const name = F.nameOf(child);
  const cost = (): number => spawnCostBeats(registry.protocol, 0, child - 1, registry.dialect) ?? 0;
  const by = (detail: string, rule: (cost: Cost) => Outcome, fieldsOf: object, more: Partial<Move>, op: string): Move =>
    own(world, 0, op, detail, rule, fieldsOf, more);
  const spawnBy = (paid: Cost, beats: number): Outcome => {
    const result = spawn(registry, { agent: 0, childName: name, simulatedBeats: beats }, world.nowMs);
    if (result.ok) paid.beats += beats;
    return result;
  };
  const sponsorships = { uses: ['sponsor'] as const, isPossible: exists };
  const least = registry.protocol.sponsor.heartbeatsEpochMin;
  const sponsorBy = (hours?: number): Outcome =>
    sponsor(registry, { agent: 0, child, heartbeatsEpochMax: least, expiresInHours: hours }, world.nowMs);
  const names = { child: script(child) };
  return [
    by(
      `for the ${name}`,
      (paid) => spawnBy(paid, cost()),
      { receipt: 'made' },
      { isPossible: isNext, uses: ['beats'] },
      'spawn',
    ),
    by(
      ...([`for the ${name} with too few beats`, (paid: Cost) => spawnBy(paid, cost() - 1)] as const),
      ...([{ receipt: 'made', shortBy: 1 }, { isPossible: isNext }, 'spawn'] as const),
    ),
    by(
      `the ${name}`,
      () => {
        const authorization = authorizationOf(world, name);
        return registerChild(registry, { agent: 0, name, authorization }, world.nowMs);
      },
      {},
      {
        isPossible: (values) => values[fields.agent(child) + F.STAGE] !== F.ABSENT,
        actions: () => [{ op: 'register-child' }],
      },
      'register-child',
    ),
    by(
      `the ${name}`,
      () => spawn(registry, { agent: 0, childName: name, child }, world.nowMs),
      names,
      { isPossible: exists },
      'spawn-link',
    ),
    own(
      ...([world, child, 'spawn-link', 'its parent'] as const),
      () => spawn(registry, { agent: child, childName: F.nameOf(0), child: 0 }, world.nowMs),
      { child: script(0) },
    ),
    by(`the ${name}`, () => sponsorBy(), { ...names, max: 'least' }, sponsorships, 'sponsor'),
    by(
      ...([`the ${name} for a short time`, () => sponsorBy(registry.protocol.sponsor.expiresHoursMin)] as const),
      ...([{ ...names, max: 'least', hours: 'least' }, { ...sponsorships, ...FURTHER }, 'sponsor'] as const),
    ),
    by(
      `of the ${name}`,
      () => unsponsor(registry, { agent: 0, child }, world.nowMs),
      names,
      { isPossible: exists },
      'sponsor-delete',
    ),
    own(
      ...([world, child, 'sponsor', 'its parent'] as const),
      () => sponsor(registry, { agent: child, child: 0 }, world.nowMs),
      { child: script(0) },
      { uses: ['sponsor'] },
    ),
    paidByParent(world, child),
  ];
}

/** The valid authorization for a child of this name, or else the id of a used one. */
function authorizationOf({ registry, nowMs }: World, name: string): string {
  for (const [value, { expiresAtMs, bound }] of registry.oneTime)
    if (nowMs <= expiresAtMs && bound?.['childName'] === name) return value;
  return 'used';
}
