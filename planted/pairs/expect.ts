/**
 * The difference between right replies and a wrong one, as tests of a status and of fields. A test is kept where it holds on every right server
 * that the script was played on, permitted forms too, so that it says nothing about what the text leaves open.
 */

import { isSame, numberOf, type PlayedReply, typeOf } from '../../conformance/pairs/play.js';
import type { Values } from '../../conformance/pairs/values.js';
import { at } from '../../model/reading/values.js';
import type { Expected, FieldTest } from '../../results/pairs.js';
import type { Clause } from '../../spec/clause.js';
import { DIFFICULTY, leavesOf } from './record.js';

/** The reply to the last step, and the values that led to it. */
export interface Outcome {
  readonly reply: PlayedReply;
  readonly values: Values;
}

/** Texts of replies by their form, the most particular first. */
const PATTERNS = [
  '^0x[0-9a-fA-F]{64}$',
  '^[0-9a-fA-F]{128}$',
  '^[0-9a-fA-F]{64}$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '^pvn_[^.]+\\.[^.]+$',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}',
  '^0+$',
  '\\S',
];

/**
 * The tests by which right replies differ from a wrong one; undefined if there are none. `abouts`: the fields that the evidence for the
 * clause names.
 */
export function expectedOf(
  right: readonly Outcome[],
  wrong: Outcome,
  abouts: readonly string[],
  demand: Clause['demand'],
): Expected | undefined {
  const [first] = right;
  if (first === undefined) return undefined;
  const statuses = new Set(right.map(({ reply }) => reply.status));
  const isOk = first.reply.status < 300;
  if (right.some(({ reply }) => reply.status < 300 !== isOk)) return undefined;
  const exact = statuses.size === 1 && !isOk ? first.reply.status : isOk ? '2xx' : '4xx';
  const isOther = isOk
    ? wrong.reply.status >= 300
    : exact === '4xx'
      ? wrong.reply.status < 400
      : wrong.reply.status !== exact;
  const status = exact as Expected['status'];
  if (isOther) return { status, fields: [] };
  const paths = pathsOf(abouts, [first.reply.json, wrong.reply.json]);
  const named = paths.length > 0 ? paths : isOk ? [] : ['code'];
  const fields = named.flatMap((path) => typeTest(path, right, wrong, demand) ?? testOf(path, right, wrong) ?? []);
  return fields.length === 0 ? undefined : { status, fields };
}

/** The paths that evidence names, in a reply; `n` and `*` are places of a list. */
export function pathsOf(abouts: readonly string[], replies: readonly unknown[]): readonly string[] {
  const leaves = new Set(replies.flatMap((json) => leavesOf(json).map(([path]) => path)));
  const all = new Set<string>();
  for (const leaf of leaves) {
    const parts = leaf.split('.');
    for (let count = 1; count <= parts.length; count += 1) all.add(parts.slice(0, count).join('.'));
  }
  const found = abouts.flatMap((about) => {
    if (!/^[\w*]+(\.[\w*]+)*$/.test(about)) return [];
    const pattern = new RegExp(
      `^${about
        .split('.')
        .map((part) => (/^(n|\*|N)$/.test(part) ? '\\d+' : part))
        .join('\\.')}$`,
    );
    const fitting = [...all].filter((path) => pattern.test(path));
    return fitting.length > 0 ? fitting : [about];
  });
  return [...new Set(found)];
}

function testOf(path: string, right: readonly Outcome[], wrong: Outcome): FieldTest | undefined {
  const values = right.map(({ reply }) => at(reply.json, path));
  const other = at(wrong.reply.json, path);
  if (values.every((value) => value === undefined)) return other === undefined ? undefined : { path, absent: true };
  if (values.some((value) => value === undefined)) return undefined;
  if (isSame(values[0], other)) return referenceTest(path, right, wrong) ?? differenceTest(path, right, wrong);
  const { difficulty } = right[0]?.values ?? wrong.values;
  if (/(^|\.)difficulty$/.test(path) && values.every((value) => value === difficulty)) return { path, is: DIFFICULTY };
  if (values.every((value) => isSame(value, values[0])) && isShort(values[0])) return { path, is: values[0] as never };
  return referenceTest(path, right, wrong) ?? differenceTest(path, right, wrong) ?? formTest(path, values, other);
}

/** The type of a field, where the clause gives no more than that. */
function typeTest(
  path: string,
  right: readonly Outcome[],
  wrong: Outcome,
  demand: Clause['demand'],
): FieldTest | undefined {
  if (demand?.type === undefined) return undefined;
  const types = right.map(({ reply }) => typeOf(at(reply.json, path)));
  if (types.some((type) => type === 'undefined') || types.includes(typeOf(at(wrong.reply.json, path))))
    return undefined;
  return { path, type: [...new Set(types)].toSorted() as never };
}

const isShort = (value: unknown): boolean => JSON.stringify(value).length < 200;

/** The field is what an earlier reply showed, or what the script itself made. */
function referenceTest(path: string, right: readonly Outcome[], wrong: Outcome): FieldTest | undefined {
  const [first] = right as readonly [Outcome];
  const value = at(first.reply.json, path);
  if (typeof value !== 'string' || value.length < 8) return undefined;
  for (const reference of referencesOf(first)) {
    const whole = reference(value);
    if (whole === undefined) continue;
    const holds = ({ reply, values }: Outcome): boolean => isSame(at(reply.json, path), filled(values, whole));
    if (right.every(holds) && !holds(wrong)) return { path, is: whole };
  }
  return undefined;
}

function filled(values: Values, text: string): unknown {
  try {
    return values.filled(text);
  } catch {
    return undefined;
  }
}

/** Ways to write a value by references of an outcome: what earlier replies showed, and what the script made. */
function referencesOf({ values }: Outcome): readonly ((value: string) => string | undefined)[] {
  const shown = values.replies.flatMap((json, nth) =>
    leavesOf(json).map(
      ([path, leaf]) =>
        (value: string) =>
          leaf === value ? `\${${nth}.${path}}` : undefined,
    ),
  );
  const made = values.made().map(([text, reference]) => (value: string) => {
    return value.includes(text) ? value.replaceAll(text, `\${${reference}}`) : undefined;
  });
  return [...shown, ...made];
}

/** The field is so much more than another field of the reply. */
function differenceTest(path: string, right: readonly Outcome[], wrong: Outcome): FieldTest | undefined {
  const [first] = right as readonly [Outcome];
  if (Number.isNaN(numberOf(at(first.reply.json, path)))) return undefined;
  for (const [minus] of leavesOf(first.reply.json)) {
    if (minus === path) continue;
    const less = ({ reply }: Outcome): number => numberOf(at(reply.json, path)) - numberOf(at(reply.json, minus));
    const is = less(first);
    if (!Number.isNaN(is) && right.every((each) => less(each) === is) && less(wrong) !== is) return { path, minus, is };
  }
  return undefined;
}

/** The field has a type, or a text has a form. */
function formTest(path: string, values: readonly unknown[], other: unknown): FieldTest | undefined {
  const type = [...new Set(values.map(typeOf))].toSorted();
  if (!type.includes(typeOf(other))) return { path, type: type as never };
  const matches = PATTERNS.find((pattern) => {
    const test = (value: unknown): boolean => typeof value === 'string' && new RegExp(pattern).test(value);
    return values.every(test) && !test(other);
  });
  return matches === undefined ? undefined : { path, matches };
}

/** Tests of both, each once. */
export function merged(one: Expected, other: Expected): Expected {
  const known = new Set(one.fields.map((test) => JSON.stringify(test)));
  return {
    status: one.status,
    fields: [...one.fields, ...other.fields.filter((test) => !known.has(JSON.stringify(test)))],
  };
}

/** A reply, shortened to what tests name; a refusal to its error and code too. */
export function shortened(
  { status, json }: PlayedReply,
  fields: readonly FieldTest[],
): { status: number; body: never } {
  const paths = new Set(fields.flatMap((test) => ('minus' in test ? [test.path, test.minus] : [test.path])));
  if (status >= 300) for (const path of ['code', 'error']) paths.add(path);
  const body: Record<string, unknown> = {};
  for (const path of paths) {
    const value = at(json, path);
    if (value !== undefined) body[path] = value;
  }
  return { status, body: body as never };
}
