/**
 * Chooses checks by globs over ids, clauses and sections, and finds checks that the target file declares unsupported. Profiles are
 * in profile.ts.
 */
import { clauseById } from '../../spec/clauses/index.js';
import { type Check, stemOf } from '../trial/check.js';
import { forProfile, inProfile, type Profile } from './profile.js';

/** Makes a test from a glob: `*` matches any text, `?` any one character. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, (char) => ({ '*': '.*', '?': '.' })[char] ?? `\\${char}`);
  const expression = new RegExp(`^${source}$`);
  return (text) => expression.test(text);
}

/** A selection of checks: those of the profile that match a glob. Without profile and globs, all checks. */
export interface Selection {
  /** Globs over check ids, clause ids and sections. */
  readonly only?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
}

/** The selected checks. A glob matches the id of a check, or the id or the section of one of its clauses. */
export function selectChecks(checks: readonly Check[], { only = [], profile }: Selection): readonly Check[] {
  const tests = only.map(glob);
  const named = (text: string): boolean => tests.length === 0 || tests.some((test) => test(text));
  const chosen = checks.filter(
    (check) =>
      (profile === undefined || inProfile(profile, check)) &&
      (named(check.id) || check.clauses.some((id) => named(id) || named(clauseById(id).section))),
  );
  return chosen.map((check) => forProfile(profile, check));
}

/** Whether a target declares a check as unsupported, by the stem of its endpoint or by a glob over check ids. */
export function isUnsupported(check: Check, unsupported: readonly string[]): boolean {
  return unsupported.some((pattern) => pattern === stemOf(check) || glob(pattern)(check.id));
}
