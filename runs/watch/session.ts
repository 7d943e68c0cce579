/** Watches traffic, writes it without secrets if that is wanted, and makes the result. Where exchanges come from is not decided here. */

import { closeSync, writeSync } from 'node:fs';
import { allChecks } from '../../conformance/checks/index.js';
import { profileNamed } from '../../conformance/run/profile.js';
import { glob, selectChecks } from '../../conformance/run/select.js';
import type { settingsOf } from '../../conformance/target/modelled.js';
import { powerOf } from '../../power/power.js';
import { WATCH_SCHEMA, type WatchResult } from '../../results/watch-result.js';
import { endpointIds, endpointOf } from '../../spec/endpoint-ids.js';
import { concluded, type Demanded, watchedClauses } from '../../watch/conclude.js';
import type { Observed } from '../../watch/exchange.js';
import { lineOf } from '../../watch/ndjson.js';
import { BadScope, scopeOf } from '../../watch/scope.js';
import { type Break, Watch } from '../../watch/watch.js';
import { Failure } from '../host/failure.js';
import { openToWrite } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { collectOften } from './memory.js';
import { type Hidden, headOf, TrafficSecrets } from './secrets.js';

/** The settings of a session, as plain data that another thread can get. */
export interface SessionSetUp {
  readonly settings: ReturnType<typeof settingsOf>;
  readonly network: string;
  readonly assumed: readonly string[];
  readonly hidden: Hidden;
  /** Scopes of --only. */
  readonly only: readonly string[];
  /** Stems of endpoints, or globs over check ids, of the target file. */
  readonly unsupported: readonly string[];
  /** The file of --out. */
  readonly out?: string | undefined;
}

/** Throws a Failure for a scope of --only that is written wrong. */
export function requireScopes(only: readonly string[]): void {
  try {
    scopeOf(only, clausesOfProfile);
  } catch (error) {
    if (error instanceof BadScope) throw new Failure(`--only ${error.message}`);
    throw error;
  }
}

/** Watches the traffic of one deployment. */
export class Session {
  readonly #watch: Watch;
  readonly #secrets: TrafficSecrets;
  readonly #out: number | undefined;

  /** Throws a Failure where the file cannot be written. */
  constructor(readonly setUp: SessionSetUp) {
    collectOften();
    const { settings, hidden, only, unsupported, out } = setUp;
    const missing = new Set(
      endpointIds.filter((id) => unsupported.some((text) => isDeclared(endpointOf(id).stem, text))),
    );
    this.#watch = new Watch(settings, {
      scope: scopeOf(only, clausesOfProfile),
      isUnsupported: (id) => missing.has(id as (typeof endpointIds)[number]),
    });
    this.#secrets = new TrafficSecrets(hidden, out !== undefined);
    this.#out = out === undefined ? undefined : openToWrite(out);
    if (this.#out === undefined) return;
    const { baseUrl, beatsUrl, controlUrl } = settings;
    const head = headOf(
      { base_url: baseUrl, beats_url: beatsUrl ?? undefined, control_url: controlUrl },
      this.#secrets,
    );
    writeSync(this.#out, `${JSON.stringify(head)}\n`);
  }

  /** Takes an exchange. */
  add(observed: Observed): void {
    this.#secrets.learn(observed);
    if (this.#out !== undefined) writeSync(this.#out, lineOf(this.#secrets.disguised(observed)));
    this.#watch.add(observed);
  }

  /** Judges what ended before a time, at which no exchange can be added any more: Unix ms. */
  passUntil(atMs: number): void {
    this.#watch.passUntil(atMs);
  }

  /** Notes that exchanges passed by unseen. */
  lose(count: number): void {
    this.#watch.lose(count);
  }

  /** Judges what is left, and returns the result without secrets. */
  end(demanded: Demanded): WatchResult {
    this.close();
    const { settings, network, assumed } = this.setUp;
    const watched = this.#watch.end();
    const shown = watched.breaks.flatMap(({ by, excerpt }) => [by, ...(excerpt?.exchanges ?? [])]);
    const redactor = this.#secrets.redactor(shown);
    const result = {
      exchanges: {
        seen: watched.seen,
        judged: watched.judged,
        unknown: watched.unknown,
        not_judged: watched.unread,
        undecided: watched.undecided,
      },
      power: powerOf(watched.noticed).all,
      clauses: watchedClauses(watched),
      breaks: watched.breaks.map((each) => shownBreak(each, redactor)),
    };
    return {
      schema: WATCH_SCHEMA,
      tool_version: packageVersion(),
      base_url: settings.baseUrl,
      beats_url: settings.beatsUrl,
      network,
      dialect: settings.dialect.name,
      assumed,
      ...result,
      forgotten: watched.forgotten,
      clock: watched.clock,
      breaks_left: watched.breaksLeft,
      ...concluded(result, demanded),
    };
  }

  /** Closes the file. */
  close(): void {
    if (this.#out !== undefined && !this.#isClosed) closeSync(this.#out);
    this.#isClosed = true;
  }

  #isClosed = false;
}

function shownBreak(
  { evidence, count, by, excerpt }: Break,
  { texts, exchange }: ReturnType<TrafficSecrets['redactor']>,
): WatchResult['breaks'][number] {
  const { clauses, level, endpoint, about, expected = '', actual = '' } = evidence;
  return {
    clauses,
    level,
    endpoint,
    about: texts(about),
    expected: texts(expected),
    actual: texts(actual),
    count,
    source: by.source,
    is_complete: excerpt?.isComplete ?? false,
    excerpt: (excerpt?.exchanges ?? [by]).map(exchange),
    left: texts(excerpt?.left ?? []),
  };
}

const isDeclared = (stem: string, text: string): boolean => text === stem || glob(text)(`${stem}/`);

function clausesOfProfile(name: string): ReadonlySet<string> | undefined {
  const profile = profileNamed(name);
  if (profile === undefined) return undefined;
  return new Set(selectChecks(allChecks, { profile }).flatMap(({ clauses }) => clauses));
}
