/**
 * Chooses checks by globs over ids and clauses, and finds those that the target file declares unsupported. Profiles are in
 * profile.ts.
 */
import { clauseById } from '../../spec/clauses/index.js';
import { type Check, stemOf } from '../trial/check.js';
import { asIn, inProfile, type Profile } from './profile.js';

/** A glob as a test: `*` is any text, `?` any one character, the rest itself. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, (char) => ({ '*': '.*', '?': '.' })[char] ?? `\\${char}`);
  const expression = new RegExp(`^${source}$`);
  return (text) => expression.test(text);
}

/** Which checks are meant: those of the profile that one of the globs names. What is absent does not restrict. */
export interface Selection {
  /** Globs over check ids, clause ids and sections. */
  readonly only?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
}

/** The checks of a selection, by their own id, by that of a clause, or by a clause's section. */
export function selectChecks(checks: readonly Check[], { only = [], profile }: Selection): readonly Check[] {
  const tests = only.map(glob);
  const named = (text: string): boolean => tests.length === 0 || tests.some((test) => test(text));
  const chosen = checks.filter(
    (check) =>
      (profile === undefined || inProfile(profile, check)) &&
      (named(check.id) || check.clauses.some((id) => named(id) || named(clauseById(id).section))),
  );
  return chosen.map((check) => asIn(profile, check));
}

/** Whether a target declares that it has not what a check judges: by the stem of its endpoint, or by a glob. */
export function isUnsupported(check: Check, unsupported: readonly string[]): boolean {
  return unsupported.some((pattern) => pattern === stemOf(check) || glob(pattern)(check.id));
}
