/**
 * Modules of a user's own rules, whose functions replace formulas of the text (spec/formula/formulas.ts). A module runs
 * only if the user names its file, by `--rules` or in AIPS_RULES, which threads and processes inherit. Each call starts from nothing: the text of
 * the module runs in a realm of frozen objects, without clock, chance, machine and language, so that a value follows from its arguments alone.
 */

import { CALL, PREPARE } from './realm-text.js';

/** Names the files of modules, as PATH names folders. */
export const RULES_VARIABLE = 'AIPS_RULES';

/** A module that was read: its path as the user gave it, and the functions that it has. */
export interface RuleModule {
  readonly file: string;
  readonly sha256: string;
  readonly names: readonly string[];
}

/** The value of a call, which is a number without fraction limits as text, or what is wrong with it. */
type RuleAnswer =
  | { readonly ok: true; readonly value: string; readonly read: readonly string[] }
  | { readonly ok: false; readonly fault: string };

/** A call: a module by its name and digest, and a function of it, what it is given, and the numbers of the protocol. */
interface RuleCall {
  /** For messages. */
  readonly module: string;
  readonly sha256: string;
  readonly name: string;
  readonly given: Readonly<Record<string, number>>;
  readonly numbers: object;
}

/** A module of more bytes is refused. */
const BYTES_MAX = 100_000;
/** A call takes microseconds; one that takes so long has no end. */
const CALL_MS_MAX = 5_000;

/** A call, or the question which functions there are. */
type Asked = Omit<RuleCall, 'name' | 'module' | 'sha256'> & { readonly name: string | null };

interface Loaded extends RuleModule {
  readonly call: (asked: Asked) => string;
}

/** The modules of this thread. Behaviours of a user's own see an empty environment, so it is read once, before they decide. */
let loaded: readonly Loaded[] | undefined;

/** A mistake of a module, or a module that cannot be read: `file:line: …`, what is wrong and what to do. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault';
}

/** The modules that the user names. Throws a RuleFault for one that cannot be used. */
export function ruleModules(): readonly RuleModule[] {
  return modulesNamed();
}

/** The files that AIPS_RULES names. */
export const rulesOfEnvironment = (): readonly string[] =>
  (process.env[RULES_VARIABLE] ?? '').split(delimiter()).filter((file) => file !== '');

function modulesNamed(): readonly Loaded[] {
  loaded ??= rulesOfEnvironment().map(load);
  return loaded;
}

/** True once a function of a module has been called. Nothing calls a module that no formula names. */
let isCalled = false;
export const isRuleUsed = (): boolean => isCalled;

/** Names modules by their paths, for this process and all that it starts; none by no path. Throws a RuleFault for one that cannot be used. */
export function useRules(...files: readonly string[]): void {
  const odd = files.find((file) => file.includes(delimiter()));
  if (odd !== undefined) throw new RuleFault(`${odd}: the path of a module of rules must not contain ${delimiter()}`);
  loaded = undefined;
  process.env[RULES_VARIABLE] = files.join(delimiter());
  modulesNamed();
}

/** Calls a function of a module that the user names. Throws a RuleFault where there is no such module, and where a call has no end. */
export function callRule({ module: named, sha256, name, given, numbers }: RuleCall): RuleAnswer {
  const known = modulesNamed();
  const module = known.find((each) => each.sha256 === sha256);
  if (module === undefined) {
    const theirs = known.map(({ file, sha256: own }) => `${file} is ${own}`).join(', ');
    throw new RuleFault(
      `${name} is computed by the module ${named} with SHA-256 ${sha256}: give its path with --rules${theirs === '' ? '' : ` (${theirs})`}`,
    );
  }
  isCalled = true;
  const answer = JSON.parse(module.call({ name, given, numbers })) as {
    readonly fault?: string;
    readonly value: string;
    readonly read: readonly string[];
  };
  if (answer.fault !== undefined) return { ok: false, fault: answer.fault };
  return { ok: true, value: answer.value, read: answer.read };
}

const warned = new Set<string>();

/** Writes a warning on standard error: of each rule the first one. */
export function warnOfRule(rule: string, message: string): void {
  if (warned.has(rule)) return;
  warned.add(rule);
  process.emitWarning(`${rule} ${message}`, 'RuleWarning');
}

/** Node's own modules, which a page in a browser does not have: it computes no rule. */
const node = <Name extends 'crypto' | 'fs' | 'path' | 'vm'>(name: Name) => process.getBuiltinModule(`node:${name}`);

const delimiter = (): string => node('path').delimiter;

function load(file: string): Loaded {
  const bytes = node('fs').readFileSync(file);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const fault = (what: string, line?: number): RuleFault =>
    new RuleFault(`${file}${line === undefined ? '' : `:${line}`}: ${what}`);
  if (bytes.length > BYTES_MAX) throw fault(`a module of rules has at most ${BYTES_MAX} bytes`);
  const call = callOf(file, text, fault);
  const about = JSON.parse(call({ name: null, given: {}, numbers: {} })) as {
    readonly fault?: string;
    readonly names: readonly string[];
    readonly other: readonly string[];
  };
  if (about.fault !== undefined) throw fault(about.fault);
  if (about.other.length > 0) throw fault(`${about.other.join(', ')} must be a function`);
  const sha256 = node('crypto').createHash('sha256').update(bytes).digest('hex');
  return { file, sha256, names: about.names, call };
}

/** Comments and quoted texts, which may speak of imports and exports. */
const PROSE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const IMPORT = /^[ \t]*(?:import\b|export\b.*\bfrom\b)|\bimport\s*\(/m;
const EXPORT = /^[ \t]*export\s+default\b/gm;

function callOf(file: string, text: string, fault: (what: string, line?: number) => RuleFault): Loaded['call'] {
  const code = text.replace(PROSE, (prose) => prose.replace(/[^\n]/g, ' '));
  const foreign = IMPORT.exec(code);
  if (foreign !== null)
    throw fault('a module of rules imports nothing: write what it needs into it', lineOf(code, foreign.index));
  // Node breaks down where a call is ended within a promise, so the word is refused anywhere.
  const waits = /\basync\b/.exec(text);
  if (waits !== null) throw fault('a rule computes at once: it has no async function', lineOf(text, waits.index));
  const [exported, second] = [...code.matchAll(EXPORT)];
  if (exported === undefined || second !== undefined)
    throw fault(
      'must have one line that begins with "export default", with an object of a function by the name of each formula',
    );
  const [before, after] = [text.slice(0, exported.index), text.slice(exported.index + exported[0].length)];
  const { Script, compileFunction, constants, createContext } = node('vm');
  const realm = createContext(constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  }) as { asked: string; ruleModule: unknown };
  try {
    const body = `'use strict';let rules_;${before}rules_ =${after}\nreturn rules_;`;
    realm.ruleModule = compileFunction(body, [], { filename: file, parsingContext: realm });
  } catch (error) {
    const line = /^[^\n]*:(\d+)\n/.exec((error as Error).stack ?? '')?.[1];
    throw fault((error as Error).message, line === undefined ? undefined : Number(line));
  }
  new Script(PREPARE).runInContext(realm);
  const script = new Script(`(${CALL})(ruleModule)`);
  return (asked) => {
    realm.asked = JSON.stringify(asked);
    try {
      return script.runInContext(realm, { timeout: CALL_MS_MAX }) as string;
    } catch (error) {
      // The script catches what a module throws.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { name, given } = asked;
      const which = name === null ? 'its loading' : `${name} of ${JSON.stringify(given)}`;
      throw fault(`${which} has not come to its end after ${CALL_MS_MAX / 1_000} s`);
    }
  };
}

const lineOf = (text: string, at: number): number => text.slice(0, at + 1).split('\n').length;
