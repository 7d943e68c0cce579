/** The form of a check: id, level, clauses, needs, estimate and its function. Running one is in run/run-check.ts. */
import type { Reason } from '../../results/conformance-result.js';
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { DialectSettings } from '../../spec/dialect-settings.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Target } from '../target/target.js';
import type { Span } from './observed.js';
import type { Trial } from './trial.js';

/** Needs of a check beyond a base URL. A check whose need is lacking is not tested. */
const needs = ['clock', 'payments', 'client-ip', 'control', 'beats', 'admin', 'partner', 'webhooks'] as const;
export type Need = (typeof needs)[number];

/** The measured part of a check (planned.ts), with the specification's numbers. */
export interface Planned {
  /** The clauses of spec/clauses that its verdict is about. */
  readonly clauses: readonly string[];
  /** Further clauses that its requests show; listed only if it is among the cheapest checks that show them. For the order of a run and `--quick`. */
  readonly also?: readonly string[];
  /** POST /register requests that fall into the bucket without a wallet (section 8). */
  readonly registers: number;
  /** POST /register requests that fall into the bucket of the wallet flow; absent: none. */
  readonly walletRegisters?: number;
  /** POST /register/token requests; absent: none. */
  readonly tokens?: number;
  /** The requests that it sends. */
  readonly requests: number;
  /** How often it lets protocol time pass. */
  readonly sleeps?: number;
  /** The beats that it computes, each of the difficulty of the specification. */
  readonly beats?: number;
  /** The fees that it pays, at most. */
  readonly lamports?: (protocol: Protocol) => number;
  /**
   * Whether it sends requests that may change something: all except GET and HEAD, and except POSTs that only compute (verify-batch,
   * beat-verify) or always get the same reply (checkin). Moves of the clock do not count, since the run makes them.
   */
  readonly writes: boolean;
}

/** A black-box check as it is written: what it needs, and the function that runs it. */
export interface WrittenCheck extends Partial<Planned> {
  /** The stem of its endpoint, a slash and words. */
  readonly id: string;
  readonly title: string;
  /** Absent: nothing. */
  readonly needs?: readonly Need[];
  /** Runs alone and after the others: it changes something that the whole service shares. */
  readonly exclusive?: boolean;
  /** It pays at exact moments, so it cannot be judged if a payment takes protocol time to be confirmed. */
  readonly paysOnTime?: boolean;
  /** It takes many minutes by these numbers, so that only the profile `exhaustive` runs it. */
  readonly exhaustive?: (protocol: Protocol) => boolean;
  /** It reads agents again itself: the run adds no reads for the model. */
  readonly readsItself?: boolean;
  /** Calls of the control API that it makes itself, by their names in `capabilities`. */
  readonly controls?: readonly string[];
  /**
   * It judges a rate limit by address, and not that of registrations. It runs even if the target does not distinguish addresses:
   * before the others, while no other check calls, and without the part that needs a second address.
   */
  readonly runsAlone?: boolean;
  /**
   * Its root agents may have been used by other checks before, and may be used by others after it. If all checks share one
   * address, such checks run one after the other with the same few agents, and cost no registrations.
   */
  readonly shares?: boolean;
  /**
   * The total time that it waits in real time, if no clock can be moved; in anchors if it counts anchors. Absent: it needs a clock
   * that can be moved, since it calls at exact times or lets days pass.
   */
  readonly waits?: (protocol: Protocol) => Span;
  /** The setting of a dialect that replaces the behaviour that the check judges, although its clauses may still apply. */
  readonly replacedBy?: keyof DialectSettings;
  /** Why this deployment cannot be judged by it, for example its network; undefined when it can. */
  readonly unsuitableFor?: (target: Target) => Reason | string | undefined;
  run(trial: Trial): Promise<void>;
}

/** A check with its measured plan. */
export type Check = WrittenCheck & Planned & { readonly needs: readonly Need[] };

const SLEEPS = 4;

/** How often a check lets protocol time pass, at most. */
export function sleepsOf({ needs, sleeps = SLEEPS }: Pick<Check, 'needs' | 'sleeps'>): number {
  return needs.includes('clock') ? sleeps : 0;
}

/** The level of a check: `decision` if all its clauses are of decisions, otherwise `must`. */
export function levelOf(check: Pick<Check, 'clauses'>): ClauseLevel {
  return check.clauses.every((id) => clauseById(id).level === 'decision') ? 'decision' : 'must';
}

/** The stem of a check: the part of its id before the slash. */
export function stemOf(check: Pick<Check, 'id'>): string {
  return check.id.split('/')[0] ?? check.id;
}
