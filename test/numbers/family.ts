/** Rows for the numbers of spawning and sponsorship: how each shows on the wire. */

import { CHEAP } from './beats.js';
import { type Agent, answerOf, type Lab } from './lab.js';
import { edged, lasts, least, most, type Numbers, type Row } from './row.js';

/** Children for nothing, where a row is not about their price. */
const FREE: Numbers = { 'spawn.baseBeats': 0 };

/** A child on a receipt of so many beats. */
async function preflight(lab: Lab, parent: { readonly key: string }, beats: number): Promise<string> {
  const beats_receipt = await lab.receipt({ beats, difficulty: 1 });
  return answerOf(await lab.call('POST /agent/spawn', { child_name: 'another', beats_receipt }, parent.key));
}

/** A parent's next child costs so many beats where the number is `n`: with one less it is refused. */
function priced(
  path: string,
  spec: number,
  cost: (n: number) => number,
  parent: (lab: Lab) => Promise<Agentlike>,
): Row {
  return edged(
    path,
    spec,
    (n) => [
      [cost(n) - 1, '400 INSUFFICIENT_BEATS'],
      [cost(n), 'ok'],
    ],
    { ask: async (lab, beats) => preflight(lab, await parent(lab), beats), alongside: CHEAP },
  );
}
type Agentlike = Pick<Agent, 'hash' | 'key'>;

const childless = (lab: Lab): Promise<Agentlike> => lab.plain();
/** A parent that is itself a child. */
const deep = async (lab: Lab): Promise<Agentlike> => lab.child(await lab.plain(), 1_000);
/** A parent that has a child. */
const withChild = async (lab: Lab): Promise<Agentlike> => {
  const parent = await lab.plain();
  await lab.child(parent, 1_000);
  return parent;
};

/** Asks for a child at a depth, under a line of ancestors that reaches as far as they are allowed. */
async function childAt(lab: Lab, depth: number): Promise<string> {
  let parent: Agentlike = await lab.plain();
  for (let at = 1; ; at++) {
    const asked = answerOf(await lab.call('POST /agent/spawn', { child_name: 'deeper' }, parent.key));
    if (asked !== 'ok' || at === depth) return asked;
    parent = await lab.child(parent);
  }
}

/** Registers a child so long after it was authorized. */
async function childAfter(lab: Lab, ms: number): Promise<string> {
  const { hash, key } = await lab.plain();
  const { spawn_authorization } = await lab.done('POST /agent/spawn', { child_name: 'late' }, key);
  await lab.advance(ms);
  const body = { name: 'late', parent: hash, spawn_authorization };
  return answerOf(await lab.call('POST /register', body, key));
}

async function sponsoring(lab: Lab, terms: object): Promise<string> {
  const parent = await lab.agent();
  const child = await lab.child(parent);
  return answerOf(await lab.call('POST /agent/sponsor', { child_hash: child.hash, ...terms }, parent.key));
}

/** The n-th heartbeat that a sponsor pays in an epoch, where no cap was agreed. */
async function nthSponsored(lab: Lab, n: number): Promise<string> {
  const parent = await lab.agent();
  const child = await lab.child(parent);
  await lab.done('POST /agent/init', {}, child.key);
  await lab.done('POST /agent/sponsor', { child_hash: child.hash }, parent.key);
  const { registry, row } = lab.inside(parent.hash);
  const sponsorship = registry.sponsorships.byParent.get(row)?.[0];
  if (sponsorship === undefined) throw new Error('the sponsorship is not there');
  sponsorship.used = n - 1;
  return answerOf(await lab.sendHeartbeat(child, parent));
}

const invalid = { outside: '400 VALIDATION', alongside: FREE } as const;

/** Children and those who pay for them. */
export const familyRows: readonly Row[] = [
  edged(
    'agent.depthMax',
    0,
    (n) =>
      n === 0
        ? [1, 2, 3].map((depth) => [depth, 'ok'] as const)
        : [
            [n, 'ok'],
            [n + 1, '400 VALIDATION'],
          ],
    { ask: childAt, alongside: FREE },
  ),
  priced('spawn.baseBeats', 1_000, (n) => n, childless),
  priced('spawn.depthFactorNumerator', 3, (n) => 500 * n, deep),
  priced('spawn.depthFactorDenominator', 2, (n) => Math.floor(3_000 / n), deep),
  priced('spawn.siblingFactorNumerator', 12, (n) => 100 * n, withChild),
  priced('spawn.siblingFactorDenominator', 10, (n) => Math.floor(12_000 / n), withChild),
  lasts('spawn.authorizationTtlSec', 300, { ask: childAfter, outside: '409 SPAWN_CONFLICT', alongside: FREE }),

  least('sponsor.heartbeatsEpochMin', 1, {
    ask: (lab, max_heartbeats_epoch) => sponsoring(lab, { max_heartbeats_epoch }),
    ...invalid,
  }),
  most('sponsor.heartbeatsEpochMax', 10_000, {
    ask: (lab, max_heartbeats_epoch) => sponsoring(lab, { max_heartbeats_epoch }),
    ...invalid,
  }),
  most('sponsor.heartbeatsEpochDefault', 100, {
    ask: nthSponsored,
    outside: '429 SPONSOR_CAP_REACHED',
    alongside: FREE,
    here: true,
  }),
  // Hours need not be whole.
  edged(
    'sponsor.expiresHoursMin',
    1,
    (n) => [
      [n - 0.001, '400 VALIDATION'],
      [n, 'ok'],
    ],
    { ask: (lab, expires_in_hours) => sponsoring(lab, { expires_in_hours }), alongside: FREE },
  ),
];
