import { clauseById } from '../../spec/clauses/index.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import { assertCodeOf, assertErrorBody, assertRefused, assertStatusOf } from '../assertions/assert.js';
import { assertEqual, assertThat, attributed, Mismatched } from '../assertions/mismatch.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { Caller } from './caller.js';

const BODY_NOT_SHOWN: ReadonlySet<string> = new Set(['register', 'init', 'beats-submit']);

/** The old assertions, which name no clauses: for checks that are not converted yet. To be deleted with the last of them. */
export class LegacyTrial extends Caller {
  readonly advisories: Mismatched[] = [];
  readonly proven: string[] = [];
  /** Whether the check used an assertion that names no clause. */
  legacy = false;

  legacyRefused(reply: Reply, key: ErrorKey, decision?: string): Reply {
    this.legacy = true;
    const { source, codeBinds } = errors[key];
    if (decision !== undefined) {
      this.decided(decision, () => void this.legacyRefused(reply, key));
      return reply;
    }
    if (source === 'spec') assertStatusOf(reply, key);
    assertRefused(reply);
    if (BODY_NOT_SHOWN.has(errors[key].endpoint)) this.decided('D-32', () => assertErrorBody(reply));
    else attributed(['error.body.error'], () => assertErrorBody(reply));
    if (source !== 'spec') this.decided(source, () => assertStatusOf(reply, key));
    if (codeBinds) assertCodeOf(reply, key);
    else if (reply.get('code') !== undefined || source !== 'spec') this.decided(source, () => assertCodeOf(reply, key));
    return reply;
  }

  /** Makes evidence of what the old assertions found: against what they spoke about, and for all else on the list. */
  closeLegacy(error: unknown): void {
    const listed = this.check.clauses ?? [];
    const levels = ['must', 'decision'] as const;
    const put = (clauses: readonly string[], ok: boolean, seen: object): void => {
      for (const level of levels) {
        const own = clauses.filter((id) => clauseById(id).level === level && (ok ? listed.includes(id) : true));
        const base = { clauses: own, level, step: this.stepOf(), endpoint: '', about: 'the check', ok };
        if (own.length > 0) this.log.recordInPassing({ ...base, ...seen });
      }
    };
    const thrown = error instanceof Mismatched ? error : undefined;
    for (const found of this.advisories) {
      put(
        (found.clauses ?? []).filter((id) => clauseById(id).level === 'decision'),
        false,
        found.mismatch,
      );
    }
    if (thrown !== undefined) put(thrown.clauses ?? listed, false, thrown.mismatch);
    const known = new Set([
      ...this.log.entries.flatMap(({ clauses }) => clauses),
      ...this.log.withheld.flatMap(({ clauses }) => clauses),
    ]);
    const rest = listed.filter((id) => !known.has(id));
    if (error === undefined && this.legacy) put(rest, true, {});
    put(
      this.proven.filter((id) => rest.includes(id)),
      true,
      {},
    );
  }

  legacySetup(what: string, error: unknown): never {
    if (!(error instanceof Mismatched)) throw error;
    throw new Unjudged('inconclusive', `the setup (${what}) failed: ${error.message}`);
  }

  proves(...clauses: readonly string[]): void {
    this.legacy = true;
    this.proven.push(...clauses.map((id) => clauseById(id).id));
  }

  about(clauses: readonly string[], assertions: () => void): void {
    this.legacy = true;
    attributed(clauses, assertions);
  }

  equal(about: string, actual: unknown, expected: unknown): void {
    this.legacy = true;
    assertEqual(about, actual, expected);
  }

  fields(reply: Reply, path: string, expected: Readonly<Record<string, unknown>>): void {
    this.legacy = true;
    for (const [name, value] of Object.entries(expected)) {
      const field = path === '' ? name : `${path}.${name}`;
      assertEqual(field, reply.get(field), value);
    }
  }

  that(about: string, ok: boolean, expected: string, actual: string): void {
    this.legacy = true;
    assertThat(about, ok, expected, actual);
  }

  decided(decision: string, assertions: () => void): void {
    this.legacy = true;
    try {
      assertions();
    } catch (error) {
      if (!(error instanceof Mismatched)) throw error;
      const clauses = (this.check.clauses ?? []).filter((id) => clauseById(id).decision === decision);
      this.advisories.push(new Mismatched(error.mismatch, error.clauses ?? clauses));
    }
  }

  shown(reply: Reply, path: string, expected: unknown, decision: string): void {
    this.legacy = true;
    const actual = reply.get(path);
    if (actual === undefined) this.decided(decision, () => assertEqual(path, actual, expected));
    else assertEqual(path, actual, expected);
  }
}
