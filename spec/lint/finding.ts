/** The type of a finding about the specification, and of the rules that derive them. The rules are in this folder, one file a kind. */

import type { Endpoint } from '../endpoint.js';
import type { ErrorRow } from '../errors.js';
import type { Flow } from '../flows.js';
import type { Protocol } from '../protocol.js';
import type { Move, State } from '../states.js';

/** `error`: the specification does not do what it says; `warning`: it does so, with a drawback; `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** Something that the numbers and tables of the specification make impossible, contradictory, dominated or endless. */
export interface Finding {
  /** `kind/subject`. It never changes its meaning. */
  readonly id: string;
  readonly severity: Severity;
  /** Ids of the clauses that it follows from. */
  readonly clauses: readonly string[];
  /** How it follows, in one line. */
  readonly arithmetic: string;
  /** How bad it is: of two findings with one id the larger is worse. It has no unit that is shown. */
  readonly harm: number;
  /** A change that would fix it. */
  readonly remedy: string;
}

/** The facts that findings are derived from. */
export interface LintFacts {
  readonly protocol: Protocol;
  readonly states: readonly State[];
  readonly moves: readonly Move[];
  readonly flows: readonly Flow[];
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly endpoints: readonly Endpoint[];
  /** Hashes a second of the slowest agent that should be able to take part. */
  readonly hashesPerSec: number;
}

/** One kind of finding: derives all of its findings from the facts, by arithmetic or reachability alone. */
export interface LintRule {
  readonly kind: string;
  /** The kind in a sentence. */
  readonly says: string;
  readonly find: (facts: LintFacts) => readonly Finding[];
}
