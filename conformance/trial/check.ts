/** The form of a check: id, level, clauses, needs, estimate and its function. Running one is in run/run-check.ts. */
import type { Reason } from '../../reports/conformance-result.js';
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

/** One black-box check: what it judges, what it needs and costs, and the function that runs it. */
export interface Check {
  /** The name of its file, a slash and words. It never changes and is never reused. */
  readonly id: string;
  readonly title: string;
  /** The clauses of spec/clauses that its verdict speaks about. */
  readonly clauses: readonly string[];
  readonly needs: readonly Need[];
  /** POST /register requests that fall into the bucket without a wallet (section 8). */
  readonly registers: number;
  /** POST /register requests that fall into the bucket of the wallet flow; absent: none. */
  readonly walletRegisters?: number;
  /** POST /register/token requests; absent: none. */
  readonly tokens?: number;
  /** Upper estimate of the requests it sends, for the plan, with the specification's numbers. */
  readonly requests: number;
  /** Upper estimate of how often it lets protocol time pass; absent: 4 times, if it needs a clock. */
  readonly sleeps?: number;
  /** Upper estimate of the fees it pays. */
  readonly lamports?: (protocol: Protocol) => number;
  /**
   * Sends requests that may change something: all but GET and HEAD, and but POSTs that only compute (verify-batch,
   * beat-verify) or answer the same to everybody (checkin). Protocol time is moved by the run, not by a check.
   */
  readonly writes: boolean;
  /** Runs alone and after the others: it changes something that the whole service shares. */
  readonly exclusive?: boolean;
  /** It pays at exact moments: where a payment takes protocol time to be confirmed, it cannot be judged. */
  readonly paysOnTime?: boolean;
  /** It takes many minutes by these numbers, so that only the profile `exhaustive` runs it. */
  readonly exhaustive?: (protocol: Protocol) => boolean;
  /** It judges a refusal, and the same request without the fault, which has to be accepted. */
  readonly refusal?: boolean;
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
  /** The setting of a dialect that replaces what the check looks at, although its clauses may still apply. */
  readonly replacedBy?: keyof DialectSettings;
  /** Why this deployment cannot be judged by it, for example its network; undefined when it can. */
  readonly unsuitableFor?: (target: Target) => Reason | string | undefined;
  run(trial: Trial): Promise<void>;
}

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
