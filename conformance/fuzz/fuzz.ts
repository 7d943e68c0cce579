/** Plays random sequences of operations against a service and holds every reply against the model; shrinks what fails. */

import * as fc from 'fast-check';
import type { Exchange } from '../../reports/conformance-result.js';
import { mergedOverlay, type Overlay } from '../../spec/overlay.js';
import { HOUR_MS } from '../../spec/time.js';
import type { Target } from '../target/target.js';
import type { Transport } from '../wire/transport.js';
import { Mismatch } from './expectation.js';
import type { Action } from './operation.js';
import { firstAgents } from './operations/compound.js';
import { operationOf, operations } from './operations/index.js';
import { lookAt } from './operations/lookups.js';
import { Player } from './player.js';

/** A service for one sequence: how it is reached, and how it is let go. */
export interface Subject {
  readonly target: Target;
  readonly send: Transport;
  readonly close: () => Promise<void>;
  /** Whether other sequences were played on it before: their requests count in its limits of an hour. */
  readonly used?: boolean;
}

/** The longest window of a rate limit. */

/** Brings a service to where a sequence starts. */
async function begin(player: Player, { used = false }: Subject, startAnchors: number): Promise<void> {
  if (used) await player.advance({ ms: HOUR_MS });
  await player.advance({ anchors: startAnchors });
  await firstAgents(player);
}

/** How the service is set up for a sequence, where the one who plays can choose. */
export const setUps = ['devnet', 'free', 'mainnet', 'small'] as const;
export type SetUp = (typeof setUps)[number];

/**
 * The numbers of the set-up `small`, on both sides: tiers, caps and the ends of epochs are met soon. It is a devnet otherwise.
 */
const SMALL = {
  heartbeat: {
    epochBeats: 300,
    tier1HeartbeatsMax: 3,
    tier2HeartbeatsMax: 6,
    narrowTaskCap: 8,
    autonomousCap: 10,
    orchestratorCap: 13,
  },
} as const;

/** The overlay of the set-up `small` under a change: one that changes these numbers itself is left as it is. */
export function smallUnder(change: Overlay): Overlay {
  return change.heartbeat === undefined ? mergedOverlay(SMALL, change) : change;
}

/** A sequence that can be played again: what `aips conform fuzz FILE` takes. */
export interface Sequence {
  /** From which names, wallets and addresses follow. */
  readonly salt: string;
  readonly set_up: SetUp;
  /** Anchors that pass before anything is done. */
  readonly start_anchors: number;
  readonly actions: readonly Action[];
}

/** Opens the service for one sequence. */
export type Open = (setUp: SetUp) => Promise<Subject>;

/** A sequence that failed. */
export interface FuzzFailure {
  readonly sequence: Sequence;
  readonly message: string;
  /** Requests and replies, without secrets. */
  readonly exchanges: readonly Exchange[];
}

/** The outcome of a run. */
export interface FuzzResult {
  readonly seed: number;
  /** Sequences that were played before one failed, or all of them; without those of shrinking. */
  readonly runs: number;
  readonly requests: number;
  readonly failure: FuzzFailure | null;
}

/** How much is played. */
export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** Looks for the shortest sequence that fails; without it the first that failed is reported. */
  readonly shrink: boolean;
  readonly onRun?: () => void;
}

/** Plays a sequence; what does not hold, or null. */
export async function playSequence(
  subject: Subject,
  { salt, start_anchors, actions }: Sequence,
  onEnd: (player: Player) => void = () => undefined,
): Promise<Mismatch | null> {
  const player = await Player.at(subject.target, subject.send, salt);
  try {
    await begin(player, subject, start_anchors);
    for (const action of actions) await playAction(player, action);
    return null;
  } catch (error) {
    if (error instanceof Mismatch) return error;
    throw error;
  } finally {
    onEnd(player);
  }
}

/** Plays an action, and then looks at the agent that it was about: the next of several lookups. */
async function playAction(player: Player, action: Action): Promise<void> {
  await operationOf(action.op).run(player, action);
  const { agents } = player.state;
  const { agent } = action;
  player.looks += 1;
  await lookAt(player, typeof agent === 'number' ? agent % agents.length : agents.length - 1, player.looks);
}

/** One action as fast-check knows commands: the model is the player's state, and it is always ready. */
class Command implements fc.AsyncCommand<object, Player> {
  constructor(readonly action: Action) {}
  check(): boolean {
    return true;
  }
  async run(_model: object, player: Player): Promise<void> {
    await playAction(player, this.action);
  }
  toString(): string {
    return JSON.stringify(this.action);
  }
}

const ACTIONS_MAX = 60;
const setUp = fc.constantFrom<SetUp[]>('devnet', 'devnet', 'devnet', 'small', 'small', 'free', 'mainnet');
const startAnchors = fc.oneof(
  { weight: 295, arbitrary: fc.integer({ min: 1, max: 300 }) },
  // Near the end of an epoch, and after that of lineage_proof.
  { weight: 4, arbitrary: fc.constant(99_950) },
  { weight: 1, arbitrary: fc.constant(352_000) },
);

/** Plays `runs` random sequences, each against a subject that `open` gives. The same seed draws the same ones. */
export async function fuzz(open: Open, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, runs, shrink, onRun } = options;
  let played = 0;
  let failedAfter: number | undefined;
  let requests = 0;
  let failure: FuzzFailure | null = null;
  const drawn = operations.map(([weight, { arbitrary }]) => ({ weight, arbitrary }));
  const commands = fc.commands([fc.oneof(...drawn).map((action) => new Command(action))], {
    maxCommands: ACTIONS_MAX,
    size: 'max',
  });
  const property = fc.asyncProperty(setUp, startAnchors, commands, async (set_up, start_anchors, sequence) => {
    played += 1;
    const salt = `${seed}:${played}`;
    const subject = await open(set_up);
    const actions: Action[] = [];
    try {
      const player = await Player.at(subject.target, subject.send, salt);
      try {
        await begin(player, subject, start_anchors);
        await fc.asyncModelRun(() => ({ model: {}, real: player }), noting(sequence, actions));
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        failedAfter ??= played;
        const failed = { salt, set_up, start_anchors, actions };
        failure = failureOf(player, failed, error);
        throw error;
      } finally {
        requests += player.exchanges.length;
        if (failedAfter === undefined) onRun?.();
      }
    } finally {
      await subject.close();
    }
  });
  const outcome = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !shrink,
    interruptAfterTimeLimit: 600_000,
  });
  if (outcome.failed && !(outcome.errorInstance instanceof Mismatch)) throw outcome.errorInstance;
  return { seed, runs: failedAfter ?? played, requests, failure };
}

/** The commands, each noted when it is played. */
function* noting(
  sequence: Iterable<fc.AsyncCommand<object, Player>>,
  done: Action[],
): Iterable<fc.AsyncCommand<object, Player>> {
  for (const command of sequence) {
    yield {
      check: (model) => command.check(model),
      run: (model, player) => {
        done.push(JSON.parse(String(command)) as Action);
        return command.run(model, player);
      },
      toString: () => String(command),
    };
  }
}

/** A failure that a player has seen, without secrets. */
function failureOf(player: Player, sequence: Sequence, { message }: Mismatch): FuzzFailure {
  const redactor = player.redactor();
  const exchanges = player.exchanges.map((each) => redactor.exchange(each));
  return { sequence, message: redactor.redact(message), exchanges };
}

/** Plays a sequence again; the failure, or null. */
export async function replay(open: Open, sequence: Sequence): Promise<FuzzFailure | null> {
  const subject = await open(sequence.set_up);
  let played: Player | undefined;
  try {
    const mismatch = await playSequence(subject, sequence, (player) => {
      played = player;
    });
    return mismatch === null || played === undefined ? null : failureOf(played, sequence, mismatch);
  } finally {
    await subject.close();
  }
}
