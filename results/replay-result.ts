/** The result of judging recordings again by this version. How they are judged is in runs/suite. */

/** The version of the shape. It changes when a field changes its meaning or goes. */
export const REPLAY_SCHEMA = 'aips-lab/replay/1';

/** Requests and checks of this version that a recording does not show. They are not judged, and fail nothing. */
export interface Unshown {
  /** How many requests of each check have no recorded reply. */
  readonly requests: Readonly<Record<string, number>>;
  /** The checks of this version that the run would have had. */
  readonly new_checks: readonly string[];
  /** Recorded checks that this version does not have. */
  readonly gone_checks: readonly string[];
}

/** The exit status of a judgement, and its clauses. */
interface Judged {
  readonly exit_status: 0 | 1 | 2;
  readonly hold: number;
  readonly fail: number;
}

/** A recording that was judged again: `was` is the recorded run, `now` is this version. */
export interface ReplayedRecording {
  readonly file: string;
  readonly server: string;
  /** When the run began, ISO 8601. */
  readonly recorded_at: string;
  /** The version that recorded it, and whether its suite and its text are those of this version. */
  readonly tool_version: string;
  readonly same_suite: boolean;
  readonly same_text: boolean;
  readonly was: Judged;
  readonly now: Judged;
  /** The clauses that fail now and did not, that failed and pass now, and that were judged and are not now. */
  readonly fails_now: readonly string[];
  readonly passes_now: readonly string[];
  readonly unjudged_now: readonly string[];
  readonly unshown: Unshown;
}

/** A recording that could not be read, with the reason. */
export interface UnreadRecording {
  readonly file: string;
  readonly error: string;
}

/** Several recordings that were judged again, in the order in which they were named. */
export interface ReplayResult {
  readonly schema: typeof REPLAY_SCHEMA;
  readonly tool_version: string;
  readonly recordings: readonly (ReplayedRecording | UnreadRecording)[];
  /** 1: one of them fails; 2: none fails, and one could not be judged. */
  readonly exit_status: 0 | 1 | 2;
}
