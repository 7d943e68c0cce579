/** `watch.json`, the result of watched traffic. Writers in reports/watch read it; runs/watch makes it. */

import type { Exchange, Power } from './conformance-result.js';

/** The version of the shape of `watch.json`. */
export const WATCH_SCHEMA = 'aips-lab/watch/1';

/** A clause that the traffic came to. */
export interface WatchedClause {
  readonly id: string;
  readonly section: string;
  readonly level: 'must' | 'decision';
  readonly text: string;
  /** `open`: exchanges came to it, and none of them could be judged by it. */
  readonly state: 'holds' | 'fails' | 'open';
  readonly pass: number;
  readonly fail: number;
  readonly open: number;
  /** The most frequent reason of those that are open. */
  readonly reason?: string;
  /** How many of the planted mistakes that break it the traffic would notice; absent if none was planted. */
  readonly power?: Power;
}

/** An exchange of an excerpt, without secrets. */
export interface ExcerptExchange {
  /** Its place in a file, or its number. */
  readonly source: string;
  /** When it began, ISO 8601; absent where the file has no times. */
  readonly began?: string;
  readonly exchange: Exchange;
}

/** The facts about one thing before an exchange: those that the traffic has shown, and the names of those that are unknown. */
export interface LeftState {
  /** `agent 0x…`, `payment …`, `service`. */
  readonly subject: string;
  readonly known: Readonly<Record<string, string | number | boolean | null>>;
  readonly unknown: readonly string[];
}

/** A deviation, however many exchanges show it. */
export interface WatchedBreak {
  readonly clauses: readonly string[];
  readonly level: 'must' | 'decision';
  /** Method and path. */
  readonly endpoint: string;
  readonly about: string;
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
  /** The first exchange that shows it. */
  readonly source: string;
  /** The excerpt shows it by itself; else more exchanges than are printed are needed. */
  readonly is_complete: boolean;
  /** The shortest excerpt that shows it, the exchange itself last. */
  readonly excerpt: readonly ExcerptExchange[];
  /** The states that the excerpt leaves before its last exchange, none of which permits the reply: what is known of the things that it names. */
  readonly left: readonly LeftState[];
}

/** Why an exchange that was seen is not judged. */
export type NotJudged = 'aborted' | 'body' | 'not-served' | 'no-credentials' | 'dropped' | 'late';

/** The result of watched traffic. */
export interface WatchResult {
  readonly schema: typeof WATCH_SCHEMA;
  readonly tool_version: string;
  /** 0: nothing deviates; 1: a clause of the text is broken, or one that is expected or locked is not shown; 2: nothing was judged, or less would be noticed than is required. */
  readonly exit_status: 0 | 1 | 2;
  readonly base_url: string;
  readonly beats_url: string | null;
  readonly network: string;
  readonly dialect: string;
  /** Facts that no target file gives, and that are assumed. */
  readonly assumed: readonly string[];
  readonly exchanges: {
    readonly seen: number;
    readonly judged: number;
    /** They match no endpoint of the services. */
    readonly unknown: number;
    readonly not_judged: Readonly<Partial<Record<NotJudged, number>>>;
    /** Exchanges that were read and gave no evidence, by reason. */
    readonly undecided: readonly { readonly reason: string; readonly count: number }[];
  };
  /** How often the known state was dropped: it was too large, or an unknown request may have changed anything. */
  readonly forgotten: { readonly full: number; readonly unknown: number };
  /** How the time of the server was known: by calls that move it, the clock of the observer, or the times in replies alone. */
  readonly clock: 'control' | 'wall' | 'own' | 'unknown';
  /** How many of all planted mistakes the traffic would notice. */
  readonly power: Power;
  readonly clauses: readonly WatchedClause[];
  readonly breaks: readonly WatchedBreak[];
  /** Deviations beyond those that are listed. */
  readonly breaks_left: number;
  /** Clauses that were to be shown and are not: by --expect, and by the lock file. */
  readonly missing: { readonly expected: readonly string[]; readonly locked: readonly string[] };
}
