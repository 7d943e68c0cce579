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

/** Why recorded exchanges do not break a changed number: a reply shows another value, which the text lets an operator configure. */
export interface ConfiguredNumber {
  readonly recording: string;
  /** The path of the number, and the value that the reply shows. */
  readonly number: string;
  readonly value: number;
  /** The check that got the reply, and the number of the exchange in its transcript. */
  readonly check: string;
  readonly n: number;
  /** The clause that allows another value, and its section. */
  readonly by: string;
  readonly section: string;
}

/** A clause with another verdict under the change, or with one that cannot be predicted. Recordings are named by their files. */
export interface BlastClause {
  readonly id: string;
  readonly level: 'must' | 'decision';
  readonly begin_to_fail: readonly Witness[];
  readonly begin_to_pass: readonly string[];
  /** Recordings whose verdict depends on requests that they do not have. */
  readonly unpredicted: readonly string[];
  /** Recordings that do not break it since a reply shows that the changed number is configured. Requests of other checks may, and are not predicted. */
  readonly configured: readonly ConfiguredNumber[];
}

/** A recording with the content of another one, which is judged once. */
interface DuplicateRecording {
  readonly file: string;
  /** The file that is judged. */
  readonly of: string;
}

/** The comparison of all recordings. */
export interface Blast {
  readonly recordings: readonly BlastRecording[];
  readonly unread: readonly UnreadRecording[];
  readonly duplicates: readonly DuplicateRecording[];
  readonly clauses: readonly BlastClause[];
}
