/** The result of `aips spec check`: whether a change of the specification holds together. How it is found is not here. */

import type { Blast } from './blast-result.js';
import type { SpecDiff } from './spec-diff-result.js';

/** The version of the shape. It changes when a field changes its meaning or goes. */
export const SPEC_CHECK_SCHEMA = 'aips-lab/spec-check/1';

/** The files of `--out`, by what they are. */
export const SPEC_CHECK_FILES = {
  json: 'spec-check.json',
  sarif: 'spec-check.sarif',
  annotations: 'annotations.txt',
  junit: 'junit.xml',
  summary: 'summary.md',
} as const;

/** The reports that the command wrote, as their texts, and what it said on standard error. */
export interface CheckReports {
  readonly files: Readonly<Partial<Record<keyof typeof SPEC_CHECK_FILES, string>>>;
  readonly said: string;
}

/**
 * An entry of a file of accepted changes, without its reason: a finding by its arithmetic, an expectation of a scenario, or a check
 * or a mutant with the finding that it follows from.
 */
export type AcceptableEntry =
  | { readonly id: string; readonly arithmetic: string }
  | { readonly scenario: string; readonly expectation: string }
  | { readonly check: string; readonly finding: string }
  | { readonly mutant: string; readonly finding: string };

/** One fault of the change, or one that was accepted with a reason. */
export interface CheckedFault {
  /** A finding of the lint, a clause, a mutant, or a scenario and its expectation. */
  readonly id: string;
  readonly text: string;
  /** A text from outside that shows it, such as a recorded exchange. */
  readonly shown?: string;
  /** The paths of the changed numbers that it is about; absent: any of the change. */
  readonly about?: readonly string[];
  /** A change that would fix it; absent unless it is a finding of the lint. */
  readonly remedy?: string;
  /** Why it is accepted; absent: it fails the check. */
  readonly accepted?: string;
  /** The entry that would accept it; absent where nothing can be accepted. */
  readonly entry?: AcceptableEntry;
}

/** One step of the check. */
export interface CheckStep {
  readonly name: string;
  /** The things that were examined, in one line. */
  readonly looked: string;
  readonly faults: readonly CheckedFault[];
  /** Findings of severity warning that the change brings or makes worse, and breaks of clients and recorded servers. They fail nothing by themselves. */
  readonly warnings?: readonly CheckedFault[];
  /** Why the step could not be judged; absent: it was. */
  readonly unable?: string;
}

/** How far a check has come. */
export interface CheckProgress {
  /** The steps that have ended, in the order of their ends. */
  readonly steps: readonly CheckStep[];
  /** The work that is under way: how many of its things are done. */
  readonly doing: readonly { readonly name: string; readonly done: number; readonly of: number }[];
}

/** Everything that `aips spec check` finds. */
export interface SpecCheck {
  readonly schema: typeof SPEC_CHECK_SCHEMA;
  readonly tool_version: string;
  readonly change: string;
  readonly steps: readonly CheckStep[];
  /** Entries of the file of accepted changes that nothing needs any more. */
  readonly stale: readonly string[];
  readonly diff: SpecDiff;
  /** The recorded servers under the change; absent without recordings. */
  readonly blast?: Blast;
  /** 0: it holds together; 1: it does not; 2: a step could not be judged. */
  readonly exit_status: 0 | 1 | 2;
}
