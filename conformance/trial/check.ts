/** The form of a check: id, level, clauses, needs, estimate and its function. Running one is in run/run-check.ts. */
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { DialectSettings } from '../../spec/dialect-settings.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Target } from '../target/target.js';
import type { Span } from './observed.js';
import type { Trial } from './trial.js';

/** Needs of a check beyond a base URL. A check whose need is lacking is not tested. */
export const needs = ['clock', 'payments', 'client-ip', 'control', 'beats', 'admin', 'partner', 'webhooks'] as const;
export type Need = (typeof needs)[number];

/** One black-box check: what it judges, what it needs and costs, and how it is done. */
export interface Check {
  /** The stem of its file, a slash and words. It never changes and is never reused. */
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
  /** Judges a refusal, and its twin: the same request without the one fault. */
  readonly refusal?: boolean;
  /** Calls of the control API that it makes itself, by their names in `capabilities`. */
  readonly controls?: readonly string[];
  /**
   * Judges a bucket of its address, and no registration's. Where the target does not distinguish addresses, it is judged all the
   * same: before the others, while nobody else calls, and without the address that has a bucket of its own.
   */
  readonly quiet?: boolean;
  /**
   * Its root agents may have been others' before, and others' after it. Where one address has to do, such checks run one
   * after the other with the same few agents, and cost no registrations.
   */
  readonly shares?: boolean;
  /**
   * How long it waits in all, where no clock can be moved and it has to wait in real time; in anchors where it counts them.
   * Absent: it needs a clock that is moved, since it asks at exact moments or lets days pass.
   */
  readonly waits?: (protocol: Protocol) => Span;
  /** The setting of a dialect that has something else in place of what it looks at, although its clauses may stand. */
  readonly replacedBy?: keyof DialectSettings;
  /** Why this deployment cannot be judged by it, for example its network; undefined when it can. */
  readonly unfit?: (target: Target) => string | undefined;
  run(trial: Trial): Promise<void>;
}

const SLEEPS = 4;

/** How often a check lets protocol time pass, at most. */
export function sleepsOf({ needs, sleeps = SLEEPS }: Pick<Check, 'needs' | 'sleeps'>): number {
  return needs.includes('clock') ? sleeps : 0;
}

/** A check is a decision's when every clause of it is; else the specification's own text is judged. */
export function levelOf(check: Pick<Check, 'clauses'>): ClauseLevel {
  return check.clauses.every((id) => clauseById(id).level === 'decision') ? 'decision' : 'must';
}

/** The stem of a check: what stands before the slash of its id. */
export function stemOf(check: Pick<Check, 'id'>): string {
  return check.id.split('/')[0] ?? check.id;
}
