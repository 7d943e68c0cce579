/**
 * Reads a YAML or JSON file that a user wrote, and reports every mistake with its line. Each schema
 * is in the file of what it describes.
 */

import {
  Composer,
  type CST,
  type Document,
  isMap,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { didYouMean } from './nearest-name.js';

/** One thing wrong with a file that a user wrote: where it is, under which key, and what to do. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly message: string;
}

/** The result of reading a file: its value, or everything that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** One line a problem, as editors and people read it: `file:line: key: message`. */
export function describeProblem(problem: Problem): string {
  const key = problem.key === '' ? '' : ` ${problem.key}:`;
  return `${problem.file}:${problem.line}:${key} ${problem.message}`;
}

/** The message for a key that a schema does not have. */
export const UNKNOWN_KEY = 'is not a key that is known here';

/** The keys and places in lists that lead to a part of a file. */
export type Path = readonly PropertyKey[];

/**
 * Reads YAML (or JSON, which is YAML) and validates it with a zod schema. Reports every problem with the line and
 * the dotted key at which it is; aliases, duplicate keys and more than one document are refused.
 */
export function parseYaml<T>(text: string, file: string, schema: z.ZodType<T>): Parsed<T> {
  const { document, lines, faults } = readYaml(text);
  const refused = faults.map(({ offset, message }) => {
    return { file, line: lines.linePos(offset).line, key: keyAt(document, offset), message };
  });
  // With a key that is given twice the values can be judged all the same.
  if (!faults.every(({ keepsValues }) => keepsValues)) return { ok: false, problems: refused };
  const data: unknown = document.toJS() ?? {};
  const result = schema.safeParse(data, { error: problemWords });
  if (result.success) return refused.length > 0 ? { ok: false, problems: refused } : { ok: true, value: result.data };
  const root = document.contents as Node | null;
  const lineOf = (path: Path): number => lineAt(root, path, lines);
  const issues = result.error.issues.flatMap((issue) => single(issue)).slice(0, PROBLEMS_MAX - refused.length);
  const meantBy = (issue: z.core.$ZodIssue): string => didYouMean(valueAt(data, issue.path), choicesOf(issue));
  return {
    ok: false,
    problems: [
      ...refused,
      ...issues.flatMap((issue) =>
        problemsOf(issue, file, lineOf).map((problem) => ({ ...problem, message: problem.message + meantBy(issue) })),
      ),
    ],
  };
}

/** A problem that a schema cannot see, with the line of the deepest part of `path` that a readable file has. */
export function problemIn(text: string, file: string, path: Path, message: string): Problem {
  const {
    document: { contents },
    lines,
  } = readYaml(text);
  return { file, line: lineAt(contents as Node | null, path, lines), key: path.map(String).join('.'), message };
}

/** Whether a readable text has a value at a path. */
export function hasPath(text: string, path: Path): boolean {
  return valueAt(readYaml(text).document.toJS(), path) !== undefined;
}

/** No file that a user writes is as long; what reads it walks it several times. */
const CHARS_MAX = 8_000_000;
/** How many problems are reported at most: each is looked up in the whole file. */
const PROBLEMS_MAX = 100;

/** How deep a file of a user may nest. Readers of its values take some stack for each level. */
export const LEVELS_MAX = 64;

/** The message of a file that nests deeper than `levels`. */
export function tooDeep(levels: number): string {
  return `nests deeper than ${levels} levels`;
}

/** A YAML text as nodes, with its lines, and every reason why it cannot be used. One that is too long or too deep has no nodes. */
interface YamlText {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly faults: readonly YamlFault[];
}

/** One reason; with `keepsValues` the values of the text are clear all the same. */
interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly keepsValues?: boolean;
}

/**
 * Reads YAML as `parseDocument` of the library does, but stops at the first token that is too deep: the library calls itself for each
 * level when it makes nodes of tokens. Its parser of tokens does not, and keeps the open collections on a stack.
 */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  let deepAt: number | undefined;
  function* tokens(): Generator<CST.Token> {
    lines.addNewLine(0);
    for (const lexeme of new Lexer().lex(text.length > CHARS_MAX ? '' : text)) {
      const at = parser.offset;
      yield* parser.next(lexeme);
      // Besides collections it holds the document, and sometimes a scalar.
      if (parser.stack.length > LEVELS_MAX && levelsOf(parser.stack) > LEVELS_MAX) {
        deepAt = at;
        return;
      }
    }
    yield* parser.end();
  }
  // The library would compare each key of a map with all others.
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const [document, second] = firstTwo(composer.compose(tokens(), true, text.length));
  const fault = (offset: number, message: string): YamlText => ({ document, lines, faults: [{ offset, message }] });
  if (text.length > CHARS_MAX) return fault(0, `is longer than ${CHARS_MAX} characters`);
  if (deepAt !== undefined) return fault(deepAt, tooDeep(LEVELS_MAX));
  // After the first mistake of a line the library finds others that follow from it.
  const found = document.errors.map(({ pos, message }) => ({ offset: pos[0], message: `is not YAML: ${message}` }));
  const lineOf = ({ offset }: YamlFault): number => lines.linePos(offset).line;
  const errors = found.filter((each, at) => found.findIndex((other) => lineOf(other) === lineOf(each)) === at);
  if (second !== undefined)
    errors.push({ offset: second.range[0], message: 'is not YAML: it holds more than one document' });
  const refused = errors.length > 0 ? errors : refusedNodes(document);
  return { document, lines, faults: refused.slice(0, PROBLEMS_MAX) };
}

function levelsOf(stack: readonly CST.Token[]): number {
  return stack.filter(({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection').length;
}

function firstTwo<T>(items: Iterable<T>): readonly [T, T?] {
  const found: T[] = [];
  for (const item of items) if (found.push(item) === 2) break;
  const [first, second] = found;
  if (first === undefined) throw new Error('the YAML library made no document');
  return second === undefined ? [first] : [first, second];
}

/** Aliases, and keys that a map has twice: where each is and what to say of it. */
function refusedNodes(document: Document): YamlText['faults'] {
  const found: YamlFault[] = [];
  const note = (node: Node, message: string, keepsValues = false): symbol | undefined => {
    found.push({ offset: node.range?.[0] ?? 0, message, keepsValues });
    return found.length >= PROBLEMS_MAX ? visit.BREAK : undefined;
  };
  visit(document, {
    Alias: (_, node) => note(node, 'aliases (*name) are not supported here'),
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) return note(key, 'is given twice', true);
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** The names among which a value had to be, where it had to be one of some. */
function choicesOf(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): readonly string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  const { options } = issue as { readonly options?: readonly unknown[] };
  return issue.code === 'invalid_union' && options !== undefined ? options.map(String) : [];
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[part],
    data,
  );
}

/** Several unknown keys of one map, one by one. */
function single(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((name) => ({ ...issue, keys: [name] })) : [issue];
}

/** An error map for schemas that have no words of their own: how a value is not as its schema has it, in ours. */
export function problemWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
      return issue.input === undefined ? `is missing: it ${kind}` : kind;
    }
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_value':
      return `${issue.input === undefined ? 'is missing: it ' : ''}must be ${listOf(choicesOf(issue))}`;
    case 'invalid_union': {
      const choices = choicesOf(issue);
      if (choices.length === 0) return UNKNOWN_FORM;
      const { discriminator: key = '' } = issue as { readonly discriminator?: string };
      const chosen = (issue.input as Readonly<Record<PropertyKey, unknown>> | null)?.[key];
      return `${chosen === undefined ? 'is missing: it ' : ''}must be ${listOf(choices)}`;
    }
    default:
      return UNKNOWN_FORM;
  }
}

const UNKNOWN_FORM = 'has another form than is known here';

/** Choices as a sentence has them: `a`, `a or b`, `one of a, b, c`. */
function listOf(choices: readonly string[]): string {
  return choices.length <= 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`;
}

/** The kinds of values as YAML has them. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
};

function problemsOf(issue: z.core.$ZodIssue, file: string, lineOf: (path: Path) => number): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const path = [...issue.path, name];
      return { file, line: lineOf(path), key: path.map(String).join('.'), message: UNKNOWN_KEY };
    });
  }
  const key = issue.path.map(String).join('.');
  return [{ file, line: lineOf(issue.path), key, message: messageOf(issue) }];
}

/** Types as users know them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** The message of the schema, or in place of zod's own for a wrong type one that says what is wanted. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input: ')) return issue.message;
  const wanted = `must be ${TYPES[issue.expected] ?? issue.expected}`;
  return issue.message.endsWith('received undefined') ? `is missing: ${wanted}` : wanted;
}

/** The dotted key whose own text, or whose value, starts at `offset`; empty where there is none. */
function keyAt(document: Document, offset: number): string {
  let found = '';
  visit(document, {
    Pair: (_, pair, path) => {
      const starts = [pair.key, pair.value].map((node) => (node as Node | null)?.range?.[0]);
      if (!starts.includes(offset)) return undefined;
      const keys = [...path.filter(isPair), pair].map(({ key }) => (isScalar(key) ? String(key.value) : '?'));
      found = keys.join('.');
      return visit.BREAK;
    },
  });
  return found;
}

/** For each dotted path the line, from 1, of the deepest key along it that a YAML text has. */
export function linesOfPaths(text: string, paths: readonly string[]): readonly number[] {
  const { document, lines } = readYaml(text);
  return paths.map((path) => lineAt(document.contents as Node | null, path.split('.'), lines));
}

/** The line of the deepest node along `path` that exists; line 1 for an empty file. */
function lineAt(root: Node | null, path: Path, lines: LineCounter): number {
  let node: Node | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (node !== null && 'items' in node && typeof part === 'number') {
      const item = (node.items as (Node | undefined)[])[part];
      if (item === undefined) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return lines.linePos(offset).line;
}
