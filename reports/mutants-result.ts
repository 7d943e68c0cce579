/** The result of `aips mutants`: the shape of mutants.json. How mutants are judged is not here (conformance/mutants). */

export const MUTANTS_SCHEMA = 'aips-lab/mutants/1';

/** The fate of one mutant. */
export interface ReportedMutant {
  readonly id: string;
  readonly title: string;
  /** The must clause that it breaks. */
  readonly clause: string;
  /** How the reference was deployed. */
  readonly deployment: string;
  /** Killed by evidence for its own clause; by that of another clause alone; only as an advisory; or not at all. */
  readonly fate: 'killed' | 'killed-elsewhere' | 'advisory' | 'survived';
  /** Must clauses that fell beside its own and what that entails. */
  readonly collateral: readonly string[];
  /** The checks that found it at must level. */
  readonly killers: readonly string[];
  /** How many checks were run. */
  readonly checks: number;
  /** Why its own clause was not judged; absent where it was. */
  readonly unjudged?: string;
}

/** Everything that a run over mutants found. */
export interface MutantsResult {
  readonly schema: typeof MUTANTS_SCHEMA;
  readonly tool_version: string;
  readonly summary: {
    readonly mutants: number;
    readonly killed: number;
    readonly killed_elsewhere: number;
    readonly advisory: number;
    readonly survived: number;
    /** Mutants that could not be judged: their patch does not fit the reference any more. */
    readonly broken: number;
    readonly collateral_median: number;
    /** Must clauses that a mutant was planted for, and how many there are. */
    readonly clauses: { readonly covered: number; readonly total: number };
  };
  readonly mutants: readonly ReportedMutant[];
  readonly broken: readonly { readonly id: string; readonly error: string }[];
  /** By check, the mutants that it alone killed. */
  readonly alone: Readonly<Record<string, readonly string[]>>;
  /** Must checks that found no mutant; absent where not all were judged. */
  readonly idle?: readonly string[];
}
