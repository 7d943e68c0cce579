/** `silences.json`: the requests of a small world that the text leaves open, and what follows from each. Writers are in reports/specification. */

/** The version of the shape of `silences.json`. */
export const SILENCES_SCHEMA = 'aips-lab/silences/1';

/** The names of the files that `aips spec silences --out` writes, besides its scripts. */
export const SILENCES_FILES = { json: 'silences.json', summary: 'summary.md' } as const;

/** A difference between two servers: the moves after the open request, and the answers to the last, first that of the server that accepted the request. */
interface SilenceParting {
  /** One freezes an agent and the other does not; one asks for another payment; or one refuses what the other accepts. */
  readonly kind: 'freezing' | 'money' | 'outcome';
  readonly moves: readonly string[];
  readonly one: string;
  readonly other: string;
}

/** A request that the text leaves open. */
export interface OpenChoice {
  /** The decisions that settle it, and the questions in the words of the model. */
  readonly decisions: readonly string[];
  readonly questions: readonly string[];
  readonly move: string;
  /** Method and path. */
  readonly endpoint: string | undefined;
  /** The reference accepts it; another server may refuse it, or the other way round. */
  readonly accepted: boolean;
  /** The sequence to the request and through the moves of its gravest parting, as `aips conform fuzz` plays it. */
  readonly script: object;
  /** Each kind once, the gravest first; empty if nothing in this world tells the two servers apart. */
  readonly partings: readonly SilenceParting[];
}

/** The silences of a small world. */
export interface SilencesResult {
  readonly schema: typeof SILENCES_SCHEMA;
  readonly tool_version: string;
  /** The name of the change; `spec` without one. */
  readonly change: string;
  /** Those with the gravest consequences first. */
  readonly open: readonly OpenChoice[];
  /** The ids of all decisions: those with consequences in this world, those with none, and those that no request of it meets. */
  readonly decisions: {
    readonly consequences: readonly string[];
    readonly none: readonly string[];
    readonly outside: readonly string[];
  };
}
