/**
 * The standard scenarios whose effects a change of numbers can reach: the others give the same results under both, so they need not be played.
 * reach.nightly.test.ts plays them for every number.
 */

import { type Protocol, protocolNumbers } from '../../spec/protocol.js';
import { type StandardScenario, standardScenarios } from './effects.js';

/** Numbers by which agents of every scenario live: the clock, heartbeats, SIGILs, freezes and the work of resyncs. */
const LIFE = /^(anchor|beat|dms|heartbeat|proof|resync|sigil|work)\./;

/** Further numbers that the rules of a scenario read, or its effects add up. */
const READ: Readonly<Record<StandardScenario, RegExp>> = {
  'epoch-of-life': /^feeSplit\./,
  'frozen-on-purpose': /^$/,
  'sybil-family': /^(agent\.depthMax|spawn\.|sponsor\.)/,
  complaints: /^flag\./,
};

/**
 * Numbers that agents in scenarios of 14 days never reach while all of these are in force: no agent sends 1,000 heartbeats, and a wallet of 5 SOL
 * pays for a SIGIL and that many.
 */
const SLACK: readonly (readonly [path: RegExp, isSlack: (value: number) => boolean])[] = [
  [/^heartbeat\.\w+Cap$/, (heartbeats) => heartbeats >= 1_000],
  [/^heartbeat\.tier\dHeartbeatsMax$/, () => true],
  [/^heartbeat\.tier\dFeeLamports$/, (lamports) => lamports <= 4_000_000],
  [/^sigil\.\w+FeeLamports$/, (lamports) => lamports <= 1_000_000_000],
];

/** Fees are effects themselves there. */
const FEES: Readonly<Partial<Record<StandardScenario, RegExp>>> = { 'sybil-family': /tier|FeeLamports$/ };

/** The standard scenarios in which one of the changed numbers can make a difference. */
export function reachedScenarios(
  paths: readonly string[],
  sides: readonly [Protocol, Protocol],
): readonly StandardScenario[] {
  const isSlack = sides.every((side) =>
    protocolNumbers(side).every(({ path, value }) => SLACK.every(([of, holds]) => !of.test(path) || holds(value))),
  );
  const isIdle = (name: StandardScenario, path: string): boolean =>
    name !== 'epoch-of-life' && isSlack && !FEES[name]?.test(path) && SLACK.some(([of]) => of.test(path));
  return standardScenarios.filter((name) =>
    paths.some((path) => (LIFE.test(path) || READ[name].test(path)) && !isIdle(name, path)),
  );
}
