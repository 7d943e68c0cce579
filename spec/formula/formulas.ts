/**
 * The formulas of the text that an overlay can replace by an expression, or by a function of a module: the penalty of a resync (4.10) and the
 * cost of a child (4.8). A protocol without them computes by the numbers of the text, in code of its own.
 */

import { z } from 'zod';
import { groups } from '../clauses/groups.js';
import { didYouMean } from '../nearest-name.js';
import { type Protocol, protocolNumbers, protocol as text } from '../protocol.js';
import { type Expression, parseExpression } from './expression.js';
import {
  type ModuleFormula,
  moduleCompute,
  moduleFault,
  moduleFormulaSchema,
  moduleReads,
  shown,
} from './module-formula.js';
import { wholeNumber } from './rational.js';

/** A formula: the names that only it has, the text's own form, and what it gives. */
interface FormulaFacts {
  readonly inputs: readonly string[];
  readonly own: string;
  readonly unit: string;
  /** Ids of the clauses that state the text's form. */
  readonly clauses: readonly string[];
  /** Inputs with which a new formula is tried. */
  readonly tried: readonly (readonly number[])[];
}

const byDepth = 'floor(spawn.baseBeats * pow(spawn.depthFactorNumerator / spawn.depthFactorDenominator, depth))';

/** Every formula by its name. */
export const formulas = {
  'resync.penaltyBeats': {
    inputs: ['missedAnchors'],
    own: 'min(resync.beatsPerMissedAnchor * missedAnchors, resync.beatsMax)',
    unit: 'beats',
    clauses: [...groups.penalty, ...groups.penaltyCap],
    tried: [0, 1, 2, 60, 61, 100, 101, 1_440, 100_000, 5_256_000].map((each) => [each]),
  },
  'spawn.costBeats': {
    inputs: ['depth', 'siblings'],
    own: `floor(${byDepth} * pow(spawn.siblingFactorNumerator / spawn.siblingFactorDenominator, siblings))`,
    unit: 'beats',
    clauses: ['spawn.cost.depth', 'spawn.cost.siblings', 'spawn.cost.exact'],
    tried: [0, 1, 2, 5, 20, 1_000].flatMap((depth) => [0, 1, 3, 20, 1_000].map((siblings) => [depth, siblings])),
  },
} as const satisfies Readonly<Record<string, FormulaFacts>>;

export type FormulaName = keyof typeof formulas;
export const formulaNames = Object.keys(formulas) as readonly FormulaName[];

/** A formula as an overlay has it: an expression, or the module that has a function of its name. */
type Formula = string | ModuleFormula;

/** Formulas by the name of the one that each replaces. */
export type Formulas = Readonly<Partial<Record<FormulaName, Formula>>>;

const numberNames = protocolNumbers().map(({ path }) => path);

/** A number of the protocol by its dotted path. */
function numberAt(held: Protocol, path: string): number {
  return path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], held) as number;
}

/** The value of an expression, rounded down and at least 0; null above 2^53 - 1 or where there is none. */
function valueIn(expression: Expression, name: FormulaName, held: Protocol, given: readonly number[]): number | null {
  const { inputs } = formulas[name];
  const value = expression.evaluate((each) => {
    const at = (inputs as readonly string[]).indexOf(each);
    return at < 0 ? numberAt(held, each) : (given[at] as number);
  });
  return wholeNumber(value);
}

/** Inputs by their names. */
const inputsOf = (name: FormulaName, given: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(formulas[name].inputs.map((input, i) => [input, given[i] as number]));

const triedOf = (name: FormulaName) => formulas[name].tried.map((given) => inputsOf(name, given));

/** The fault of an expression for a formula; undefined for one that can be used. */
function faultOf(name: FormulaName, written: string): string | undefined {
  const { inputs } = formulas[name];
  const parsed = parseExpression(written, new Set([...inputs, ...numberNames]));
  if (!parsed.ok) {
    const near = parsed.unknown === undefined ? '' : namesFor(inputs, parsed.unknown);
    return `position ${parsed.position}: ${parsed.message}${near}`;
  }
  const { expression } = parsed;
  for (const given of triedOf(name)) {
    const value = expression.evaluate((each) => given[each] ?? numberAt(text, each));
    if (value.above !== 0n || value.below !== 0n) continue;
    return `has no value with ${shown(given)}: it divides zero by zero, or the exponent of pow is no whole number from 0 to 1,000,000`;
  }
  return undefined;
}

const namesFor = (inputs: readonly string[], word: string): string =>
  didYouMean(word, [...inputs, ...numberNames]) ||
  `; it has ${inputs.join(', ')} and the numbers of the protocol, such as resync.beatsMax`;

/** The schema of the formulas of an overlay. */
export const formulasSchema = z
  .record(
    z.string(),
    z.union(
      [z.string(), moduleFormulaSchema],
      'must be a text with a formula, such as 100 * missedAnchors, or the module and the sha256 of a rule',
    ),
  )
  .superRefine((written, context) => {
    const blame = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    for (const [key, formula] of Object.entries(written)) {
      const name = key as FormulaName;
      if (!Object.hasOwn(formulas, key)) blame([key], `is no formula that is data; ${formulaNames.join(' and ')} are`);
      else if (typeof formula === 'string') {
        const message = faultOf(name, formula);
        if (message !== undefined) blame([key], message);
      } else {
        const fault = moduleFault(formula, name, { tried: triedOf(name), formulas: formulaNames, text });
        if (fault !== undefined) blame([key, fault.key], fault.message);
      }
    }
  })
  .transform((written) => written as Formulas);

type Compute = (...given: readonly number[]) => number | null;

/** The formulas of each protocol, read once. */
const read = new WeakMap<Protocol, Map<FormulaName, Compute | undefined>>();

/**
 * The formula that a protocol has in place of the text's; undefined where it has the text's. Its value is rounded down to a whole number and at
 * least 0; null above 2^53 - 1, without limit (a division by zero) or undefined.
 */
export function formulaOf(held: Protocol, name: FormulaName): Compute | undefined {
  if (held.parts?.formulas?.[name] === undefined) return undefined;
  const known = read.get(held) ?? new Map<FormulaName, Compute | undefined>();
  read.set(held, known);
  if (!known.has(name)) known.set(name, computeOf(held, name));
  return known.get(name);
}

function computeOf(held: Protocol, name: FormulaName): Compute | undefined {
  const written = held.parts?.formulas?.[name];
  if (written === undefined) return undefined;
  if (typeof written === 'object') {
    const compute = moduleCompute(written, held);
    return (...given) => compute({ name, given: inputsOf(name, given) });
  }
  const parsed = parseExpression(written, new Set([...formulas[name].inputs, ...numberNames]));
  if (!parsed.ok) throw new Error(`the formula ${name} was not checked: ${parsed.message}`);
  return (...given) => valueIn(parsed.expression, name, held, given);
}

/** `formulaOf` for the penalty of a resync; a penalty that nobody can prove is 2^53 - 1 beats. */
export function penaltyFormula(held: Protocol): ((missedAnchors: number) => number) | undefined {
  const compute = formulaOf(held, 'resync.penaltyBeats');
  return compute && ((missedAnchors) => compute(missedAnchors) ?? Number.MAX_SAFE_INTEGER);
}

/** The numbers of the text's formulas that nothing reads any more, since a formula that does not read them is in their place. */
export function unreadNumbers(held: Protocol): ReadonlySet<string> {
  const unread = formulaNames.flatMap((name) => {
    const written = held.parts?.formulas?.[name];
    if (written === undefined) return [];
    const own = namesIn(name, formulas[name].own);
    const read = typeof written === 'string' ? namesIn(name, written) : moduleReads(written, name, triedOf(name), held);
    return own.filter((each) => numberNames.includes(each) && !read.includes(each));
  });
  return new Set(unread);
}

function namesIn(name: FormulaName, written: string): readonly string[] {
  const parsed = parseExpression(written, new Set([...formulas[name].inputs, ...numberNames]));
  return parsed.ok ? parsed.expression.names : [];
}

/** A formula in words: an expression as it is written, or the module and its digest. */
export function formulaText(formula: Formula): string {
  return typeof formula === 'string' ? formula : `the module ${formula.module} (SHA-256 ${formula.sha256})`;
}
