/**
 * A formula that is code: a function of the module that the user names by `--rules` (rules/rule-module.ts). An overlay names the module and its
 * SHA-256, so that a protocol says by its data alone what computes it. Names and inputs of formulas are in formulas.ts.
 */

import { z } from 'zod';
import { callRule, RuleFault, type RuleModule, ruleModules, warnOfRule } from '../../rules/rule-module.js';
import { didYouMean } from '../nearest-name.js';
import type { Protocol } from '../protocol.js';

/** A formula that is a function of a module, as a protocol has it. */
export interface ModuleFormula {
  /** The name of its file, for people. */
  readonly module: string;
  readonly sha256: string;
}

/** A formula as an overlay writes it; `moduleFault` demands the digest, since only it can say which one is meant. */
export const moduleFormulaSchema = z.strictObject({
  module: z.string().meta({ description: 'The name of the file of the module, for people' }),
  sha256: z
    .string()
    .optional()
    .meta({ description: 'The SHA-256 of the file, as 64 hex digits: it says which module is meant' }),
});

/** A formula by its name, and the values of its inputs by theirs. */
interface Asked {
  readonly name: string;
  readonly given: Readonly<Record<string, number>>;
}

interface Fault {
  readonly key: keyof ModuleFormula;
  readonly message: string;
}

/** The fault of a formula of a module, with its key; undefined for one that has a value for each of the inputs that are tried. */
export function moduleFault(
  { module, sha256 }: z.output<typeof moduleFormulaSchema>,
  name: string,
  {
    tried,
    formulas,
    text,
  }: { readonly tried: readonly Asked['given'][]; readonly formulas: readonly string[]; readonly text: Protocol },
): Fault | undefined {
  try {
    const known = ruleModules();
    if (known.length === 0)
      return { key: 'module', message: `is code, which is run only if you name it: ${toName(module)}` };
    const held = known.find((each) => each.sha256 === sha256);
    if (held === undefined || sha256 === undefined) return { key: 'sha256', message: otherDigest(sha256, known) };
    if (!held.names.includes(name))
      return {
        key: 'module',
        message: `has no function '${name}': it has ${held.names.join(', ') || 'no function at all'}`,
      };
    const odd = held.names.find((each) => !formulas.includes(each));
    if (odd !== undefined)
      return { key: 'module', message: `has a function '${odd}', which is no formula${didYouMean(odd, formulas)}` };
    for (const given of tried) {
      const answer = callRule({ module, sha256, name, given, numbers: numbersOf(text) });
      if (!answer.ok) return { key: 'module', message: `${answer.fault} with ${shown(given)}` };
    }
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error;
    return { key: 'module', message: `cannot be used: ${error.message}` };
  }
  return undefined;
}

const toName = (module: string): string => `give its path with --rules, such as --rules ${module}`;

function otherDigest(sha256: string | undefined, known: readonly RuleModule[]): string {
  const theirs = known.map(({ file, sha256: own }) => `${file} is ${own}`).join(', ');
  return `${sha256 === undefined ? 'has to say which module is meant' : 'is that of no module of --rules'}: ${theirs}`;
}

/** Inputs in words: `depth 0, siblings 2`. */
export const shown = (given: Asked['given']): string =>
  Object.entries(given)
    .map(([input, at]) => `${input} ${at}`)
    .join(', ');

const numbersOf = ({ parts: _, ...numbers }: Protocol): object => numbers;

/** Values that are kept: a penalty is asked for again and again. */
const VALUES_MAX = 100_000;

/**
 * The function of a formula of a module under a protocol: its value is rounded down to a whole number and at least 0; null above 2^53 - 1, and
 * where the function throws or gives no number, of which a warning is written once. Throws a RuleFault where the module is another one, or a call has no end.
 */
export function moduleCompute({ module, sha256 }: ModuleFormula, held: Protocol): (asked: Asked) => number | null {
  const numbers = numbersOf(held);
  const values = new Map<string, number | null>();
  return ({ name, given }) => {
    const key = Object.values(given).join();
    const known = values.get(key);
    if (known !== undefined) return known;
    const answer = callRule({ module, sha256, name, given, numbers });
    if (!answer.ok)
      warnOfRule(`${module}: ${name}`, `${answer.fault} with ${shown(given)}: nobody can prove such a cost`);
    const value = answer.ok ? wholeOf(answer.value) : null;
    if (values.size >= VALUES_MAX) values.clear();
    values.set(key, value);
    return value;
  };
}

/** The whole number of a text of a number, such as `12`, `1.5`, `1e+21` or `Infinity`. */
function wholeOf(text: string): number | null {
  const value = Math.max(0, Math.floor(Number(text)));
  return value > Number.MAX_SAFE_INTEGER ? null : value;
}

/** The numbers of a protocol that a formula of a module reads for the inputs that are tried. */
export function moduleReads(
  { module, sha256 }: ModuleFormula,
  name: string,
  tried: readonly Asked['given'][],
  held: Protocol,
): readonly string[] {
  return tried.flatMap((given) => {
    const answer = callRule({ module, sha256, name, given, numbers: numbersOf(held) });
    return answer.ok ? answer.read : [];
  });
}
