/** The result of `aips spec diff`: two versions of the specification compared. How it is found is not here. */

/** The version of the shape. It changes when a field changes its meaning or goes. */
export const SPEC_DIFF_SCHEMA = 'aips-lab/spec-diff/1';

/** A finding of the lint, as far as a comparison shows it. */
export interface DiffFinding {
  readonly id: string;
  readonly severity: string;
  readonly arithmetic: string;
}

/** One effect of the change, measured by paired runs. */
export interface DiffEffect {
  readonly id: string;
  readonly label: string;
  /** `lamports`, `share`, or empty. */
  readonly unit: string;
  /** The standard scenario whose runs show it. */
  readonly scenario: string;
  /** Means of the two arms, and the mean difference of the pairs with the half-width of its 95 % interval. */
  readonly from: number;
  readonly to: number;
  readonly difference: number;
  readonly half_width: number;
}

/** A clause that the change touches. */
export interface TouchedClause {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  /** Its text with the changed numbers; absent: it does not quote them, or quotes one in several places. */
  readonly after?: string;
}

/** Everything that `aips spec diff` finds. */
export interface SpecDiff {
  readonly schema: typeof SPEC_DIFF_SCHEMA;
  readonly tool_version: string;
  /** The names of the two: an overlay file, a version, or `spec`. */
  readonly from: string;
  readonly to: string;
  readonly numbers: readonly {
    readonly path: string;
    readonly unit: string;
    readonly from: number;
    readonly to: number;
  }[];
  /** Changed parts that are not numbers: an error row, a class, an event; absent in older comparisons. */
  readonly parts?: readonly { readonly path: string; readonly from: string; readonly to: string }[];
  /** Ids of clauses that are in one alone, or whose statement is another. */
  readonly statements: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  /** Touched by the changed numbers: clauses, rows of the error table, endpoints, checks. */
  readonly clauses: readonly TouchedClause[];
  readonly errors: readonly string[];
  readonly endpoints: readonly string[];
  readonly checks: readonly string[];
  /** Ids of the mutants that break a clause which the change concerns. */
  readonly mutants: readonly string[];
  readonly findings: {
    readonly appear: readonly DiffFinding[];
    readonly vanish: readonly DiffFinding[];
    /** In both, and worse in the second; `was` is the arithmetic of the first. Absent: none is. */
    readonly worse?: readonly (DiffFinding & { readonly was: string })[];
  };
  /** Paired runs of each standard scenario; 0 where none were asked for. */
  readonly replicates: number;
  readonly seed: number;
  readonly effects: readonly DiffEffect[];
  /** Standard scenarios that cannot be played under one of the two, and why. */
  readonly unmeasured: readonly { readonly scenario: string; readonly reason: string }[];
}
