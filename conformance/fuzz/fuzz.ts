/** Plays random sequences of operations against a service, lets the model judge every reply, and shrinks a sequence that fails. */

import * as fc from 'fast-check';
import type { Evidence, Judgement } from '../../model/evidence.js';
import type { Exchange } from '../../results/conformance-result.js';
import { mergedOverlay, type Overlay } from '../../spec/overlay.js';
import { HOUR_MS } from '../../spec/time.js';
import type { Target } from '../target/target.js';
import type { Transport } from '../wire/transport.js';
import type { Action } from './operation.js';
import { firstAgents } from './operations/compound.js';
import { operationOf, operations } from './operations/index.js';
import { look, lookAt } from './operations/lookups.js';
import { Player } from './player.js';
import { Break } from './requests.js';
import { type JudgedExtent, Tally } from './tally.js';

/** A service for one sequence: its transport, and a function that closes it. */
interface Subject {
  readonly target: Target;
  readonly send: Transport;
  readonly close: () => Promise<void>;
  /** Whether other sequences were played on it before: their requests count in its limits of an hour. */
  readonly used?: boolean;
}

/** Brings a service to the start of a sequence. */
async function begin(player: Player, { used = false }: Subject, startAnchors: number): Promise<void> {
  await player.begin();
  if (used) await player.advance({ ms: HOUR_MS });
  await player.advance({ anchors: startAnchors });
  await firstAgents(player);
}

/** The set-ups of a service for a sequence, if the caller can choose. */
export const setUps = ['devnet', 'free', 'mainnet', 'small'] as const;
type SetUp = (typeof setUps)[number];

/** The numbers of the set-up `small`, for server and model: tiers, caps and ends of epochs are reached quickly. Otherwise it is a devnet. */
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

/** The overlay of the set-up `small` under a change; numbers that the change sets stay. */
export function smallUnder(change: Overlay): Overlay {
  return change.heartbeat === undefined ? mergedOverlay(SMALL, change) : change;
}

/** A sequence that can be played again: what `aips conform fuzz FILE` takes. */
export interface Sequence {
  /** The seed of names, wallets and addresses. */
  readonly salt: string;
  readonly set_up: SetUp;
  /** Anchors that pass before the first action. */
  readonly start_anchors: number;
  readonly actions: readonly Action[];
}

/** Opens the service for one sequence. */
export type Open = (setUp: SetUp) => Promise<Subject>;

/** A sequence that failed. */
export interface FuzzFailure {
  readonly sequence: Sequence;
  readonly message: string;
  /** The clauses of the text that the reply contradicts. */
  readonly clauses: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** The index in `exchanges` of the exchange that shows the failure. */
  readonly exchange: number;
  /** Requests and replies, without secrets. */
  readonly exchanges: readonly Exchange[];
}

/** The outcome of a run. */
export interface FuzzResult extends JudgedExtent {
  readonly seed: number;
  /** The number of played sequences, up to the one that failed. Those of shrinking do not count. */
  readonly runs: number;
  readonly requests: number;
  readonly failure: FuzzFailure | null;
}

/** The extent of a run. */
interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** Searches for the shortest sequence that fails; otherwise the first failing one is reported. */
  readonly shrink: boolean;
  readonly onRun?: () => void;
  /** Called before each sequence: once true, no more are played, including those of shrinking. */
  readonly isStopped?: () => boolean;
}

/** Plays an action, and then looks up agents that it may have changed: those that it names, and their parents. */
async function playAction(player: Player, action: Action): Promise<void> {
  await operationOf(action.op).run(player, action);
  const { agents } = player;
  const named = [action['agent'], action['child'], action['target']].flatMap((each) =>
    typeof each === 'number' ? [each % agents.length] : [],
  );
  const own = named.length === 0 ? [agents.length - 1] : named;
  const parents = own.map((each) => agents.findIndex(({ hash }) => hash === player.known(each).parent));
  await lookAt(player, [...new Set([...own, ...parents.filter((each) => each !== -1)])], Number(action['look'] ?? 0));
}

/** Plays a sequence without lookups. Throws a Break if the text does not allow a reply. */
export async function beginAll(player: Player, subject: Subject, { start_anchors, actions }: Sequence): Promise<void> {
  await begin(player, subject, start_anchors);
  for (const action of actions) await operationOf(action.op).run(player, action);
}

/** Plays a sequence on a player; returns the failure, or null. */
async function playOn(
  player: Player,
  subject: Subject,
  { salt, set_up, start_anchors, actions }: Sequence,
  onAction?: (nth: number) => void,
): Promise<FuzzFailure | null> {
  const done: Action[] = [];
  try {
    await begin(player, subject, start_anchors);
    for (const action of actions) {
      onAction?.(done.length);
      done.push(action);
      await playAction(player, action);
    }
    return null;
  } catch (error) {
    if (!(error instanceof Break)) throw error;
    return failureOf(player, { salt, set_up, start_anchors, actions: done }, error);
  }
}

/** A failure that a player has seen, without secrets. */
function failureOf(player: Player, sequence: Sequence, { message, evidence, exchange }: Break): FuzzFailure {
  const redactor = player.redactor();
  return {
    sequence,
    message: redactor.redact(message),
    clauses: evidence.clauses,
    expected: redactor.redact(evidence.expected ?? ''),
    actual: redactor.redact(evidence.actual ?? ''),
    exchange: player.exchanges.indexOf(exchange),
    exchanges: player.exchanges.map((each) => redactor.exchange(each)),
  };
}

const ACTIONS_MAX = 60;
const setUp = fc.constantFrom<SetUp[]>('devnet', 'devnet', 'devnet', 'small', 'small', 'free', 'mainnet');
const startAnchors = fc.oneof(
  { weight: 295, arbitrary: fc.integer({ min: 1, max: 300 }) },
  // Starts near the end of an epoch, and after the last day of lineage_proof.
  { weight: 4, arbitrary: fc.constant(99_950) },
  { weight: 1, arbitrary: fc.constant(352_000) },
);

/** Plays `runs` random sequences, each against a subject that `open` returns. The same seed draws the same sequences. */
export async function fuzz(open: Open, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, runs, shrink, onRun, isStopped } = options;
  const tally = new Tally();
  let played = 0;
  let failedAfter: number | undefined;
  let requests = 0;
  let failure: FuzzFailure | null = null;
  const drawn = operations.map(([weight, { arbitrary }]) => ({ weight, arbitrary }));
  const action = fc.tuple(fc.oneof(...drawn), look).map(([each, way]): Action => ({ ...each, look: way }));
  const sequences = fc.array(action, { maxLength: ACTIONS_MAX, size: 'max' });
  const property = fc.asyncProperty(setUp, startAnchors, sequences, async (set_up, start_anchors, actions) => {
    // A subject in this process may never wait, so signals would never be handled.
    await new Promise(setImmediate);
    if (isStopped?.() === true) throw new fc.PreconditionFailure(true);
    played += 1;
    const subject = await open(set_up);
    try {
      const player = new Player(subject.target, subject.send, `${seed}:${played}`, tally);
      const found = await playOn(player, subject, { salt: player.salt, set_up, start_anchors, actions });
      requests += player.exchanges.length;
      if (found === null) {
        if (failedAfter === undefined) onRun?.();
        return true;
      }
      failedAfter ??= played;
      failure = found;
      return false;
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
  if (outcome.failed && failure === null) throw outcome.errorInstance;
  return { seed, runs: failedAfter ?? played, requests, ...tally.told(), failure };
}

/** Plays a sequence again; the failure, or null. */
export async function replay(open: Open, sequence: Sequence): Promise<FuzzFailure | null> {
  const subject = await open(sequence.set_up);
  try {
    return await playOn(new Player(subject.target, subject.send, sequence.salt, new Tally()), subject, sequence);
  } finally {
    await subject.close();
  }
}

/** One exchange of a sequence, with the judgement of its reply. */
export interface Step {
  /** The place of its action in the sequence; -1 before the first. */
  readonly action: number;
  readonly exchange: Exchange;
  readonly evidence: readonly Evidence[];
}

/** A replayed sequence, step by step. If the sequence fails, its last step deviates. */
interface Walk {
  readonly steps: readonly Step[];
  readonly failure: FuzzFailure | null;
}

/** Fields of evidence that hold words of the suite, not of the target. */
const OWN_WORDS = new Set(['clauses', 'level', 'endpoint', 'about']);

/** Plays a sequence again, and keeps each exchange with its judgement. */
export async function walk(open: Open, sequence: Sequence): Promise<Walk> {
  const subject = await open(sequence.set_up);
  try {
    const judgements = new Map<object, Judgement>();
    const tally = new Tally((judgement, request) => judgements.set(request, judgement));
    const player = new Player(subject.target, subject.send, sequence.salt, tally);
    const starts: number[] = [];
    const failure = await playOn(player, subject, sequence, (nth) => {
      starts[nth] = player.exchanges.length;
    });
    const redactor = player.redactor();
    const steps = player.exchanges.map((each, at) => ({
      action: starts.findLastIndex((start) => start <= at),
      exchange: redactor.exchange(each),
      evidence: (judgements.get(each.request)?.evidence ?? []).map((one) => redactor.everywhere(one, OWN_WORDS)),
    }));
    return { steps, failure };
  } finally {
    await subject.close();
  }
}
