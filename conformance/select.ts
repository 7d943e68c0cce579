import { clauseById } from '../spec/clauses/index.js';
import { type Check, stemOf } from './check.js';

/** A glob as a test: `*` is any text, `?` any one character, the rest itself. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, (char) => ({ '*': '.*', '?': '.' })[char] ?? `\\${char}`);
  const expression = new RegExp(`^${source}$`);
  return (text) => expression.test(text);
}

/** The checks that one of the globs names, by their own id, by that of a clause, or by a clause's section. */
export function selectChecks(checks: readonly Check[], only: readonly string[] | undefined): readonly Check[] {
  if (only === undefined || only.length === 0) return checks;
  const tests = only.map(glob);
  const named = (text: string): boolean => tests.some((test) => test(text));
  return checks.filter(
    (check) => named(check.id) || check.clauses.some((id) => named(id) || named(clauseById(id).section)),
  );
}

/** Whether a target declares that it has not what a check judges: by the stem of its endpoint, or by a glob. */
export function isUnsupported(check: Check, unsupported: readonly string[]): boolean {
  return unsupported.some((pattern) => pattern === stemOf(check) || glob(pattern)(check.id));
}
