/** The blast radius of a change: the clauses whose verdicts it changes for recorded servers. How it is found is in runs/specification. */

import type { Exchange } from './conformance-result.js';
import type { UnreadRecording } from './replay-result.js';

/** A recorded server, as a row of the comparison. */
export interface BlastRecording {
  readonly file: string;
  readonly server: string;
  /** When its run began, ISO 8601, and the version that recorded it. */
  readonly recorded_at: string;
  readonly tool_version: string;
  /** How many of its checks send other requests under the change, to which it has no replies. */
  readonly changed_checks: number;
}

/** A recorded exchange that a text does not allow. */
export interface Witness {
  /** The file of the recording, and its server. */
  readonly recording: string;
  readonly server: string;
  readonly endpoint: string;
  readonly about: string;
  /** The demand of the changed text, and the reply. */
  readonly expected: string;
  readonly actual: string;
  /** The check that sent the request, and the exchange; absent where no single exchange shows it. */
  readonly check: string;
  readonly exchange?: Exchange;
}

/** A clause with another verdict under the change, or with one that cannot be predicted. Recordings are named by their files. */
export interface BlastClause {
  readonly id: string;
  readonly level: 'must' | 'decision';
  readonly begin_to_fail: readonly Witness[];
  readonly begin_to_pass: readonly string[];
  /** Recordings whose verdict depends on requests that they do not have. */
  readonly unpredicted: readonly string[];
}

/** The comparison of all recordings. */
export interface Blast {
  readonly recordings: readonly BlastRecording[];
  readonly unread: readonly UnreadRecording[];
  readonly clauses: readonly BlastClause[];
}
