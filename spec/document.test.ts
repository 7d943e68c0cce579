import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeProblem, parseYaml } from './document.js';

const schema = z.strictObject({
  name: z.string('must be text').optional(),
  inner: z.strictObject({ count: z.int('must be a whole number') }).optional(),
  items: z.array(z.strictObject({ id: z.string('must be text') })).optional(),
});

const lines = (text: string): string[] => {
  const parsed = parseYaml(text, 'f.yaml', schema);
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
};

/** Files with their problems, as they are printed. */
const refused: readonly (readonly [fault: string, text: string, problems: readonly string[]])[] = [
  ['an ill-typed value', 'name: 1\n', ['f.yaml:1: name: must be text']],
  [
    'an ill-typed value below another',
    'name: a\ninner:\n  # note\n  count: x\n',
    ['f.yaml:4: inner.count: must be a whole number'],
  ],
  ['an ill-typed value in a list', 'items:\n  - id: a\n  - id: 2\n', ['f.yaml:3: items.1.id: must be text']],
  [
    'an unknown key in a list',
    'items:\n  - id: a\n    more: 1\n',
    ['f.yaml:3: items.0.more: is not a key that is known here'],
  ],
  [
    'two unknown keys',
    'a: 1\n\nb: 2\n',
    ['f.yaml:1: a: is not a key that is known here', 'f.yaml:3: b: is not a key that is known here'],
  ],
  ['a key named __proto__', '__proto__: 1\n', ['f.yaml:1: __proto__: is not a key that is known here']],
  ['a key given twice', 'name: a\ninner:\n  count: 1\n  count: 2\n', ['f.yaml:4: inner.count: is given twice']],
  ['an alias', 'name: &n a\ninner:\n  count: *n\n', ['f.yaml:3: inner.count: aliases (*name) are not supported here']],
  ['JSON with a fault', '{\n"name": 1}', ['f.yaml:2: name: must be text']],
];

describe('parseYaml', () => {
  it.each(refused)('refuses %s with its line and key', (_, text, problems) => {
    expect(lines(text)).toEqual(problems);
  });

  it('refuses a missing value at the key that should hold it', () => {
    expect(lines('name: a\ninner:\n  {}\n')).toEqual(['f.yaml:2: inner.count: must be a whole number']);
  });

  it('says in plain words what is missing or of the wrong type, where the schema does not', () => {
    const plain = z.strictObject({ url: z.string(), port: z.int(), on: z.boolean(), list: z.array(z.string()) });
    const parsed = parseYaml('port: 1.5\non: 1\nlist: {}\n', 'f.yaml', plain);
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([
      'f.yaml:1: url: is missing: it must be text',
      'f.yaml:1: port: must be a whole number',
      'f.yaml:2: on: must be true or false',
      'f.yaml:3: list: must be a list',
    ]);
  });

  it.each([
    [z.strictObject({ a: z.string() }), '{}', 'a: is missing: it must be text'],
    [z.strictObject({ a: z.string() }), 'a: 1', 'a: must be text'],
    [z.strictObject({ a: z.number() }), 'a: x', 'a: must be a number'],
    [z.strictObject({ a: z.int() }), 'a: 0.5', 'a: must be a whole number'],
    [z.strictObject({ a: z.boolean() }), 'a: x', 'a: must be true or false'],
    [z.strictObject({ a: z.array(z.string()) }), 'a: x', 'a: must be a list'],
    [z.strictObject({ a: z.record(z.string(), z.number()) }), 'a: x', 'a: must be a map of keys and values'],
    [z.strictObject({ a: z.number().min(2) }), 'a: 1', 'a: must be at least 2'],
    [z.strictObject({ a: z.number().positive() }), 'a: 0', 'a: must be more than 0'],
    [z.strictObject({ a: z.number().max(2) }), 'a: 3', 'a: must be at most 2'],
    [z.strictObject({ a: z.number().lt(2) }), 'a: 2', 'a: must be less than 2'],
    [z.strictObject({ a: z.enum(['x', 'y']) }), 'a: z', 'a: must be x or y'],
    [z.strictObject({ a: z.union([z.string(), z.number()]) }), 'a: []', 'a: has another form than is known here'],
    [z.strictObject({ a: z.string() }), 'x', 'must be a map of keys and values'],
  ])('%#: has words of its own where the schema has none', (plain, text, problem) => {
    const parsed = parseYaml<unknown>(text, 'f.yaml', plain);
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([`f.yaml:1: ${problem}`]);
  });

  it.each([
    ['an open bracket', 'name: a\ninner: {count: 1\n'],
    ['a tab for indentation', 'name: a\ninner:\n\tcount: 1\n'],
    ['a second document', 'name: a\n---\nname: b\n'],
  ])('refuses %s as no YAML, after its first line', (_, text) => {
    const parsed = parseYaml(text, 'f.yaml', schema);
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems.length).toBeGreaterThan(0);
    for (const { message, line } of problems) {
      expect(message).toMatch(/^is not YAML: /);
      expect(line).toBeGreaterThan(1);
    }
  });

  it('takes 20,000 keys, and tells of a hundred problems at most', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1\n`).join('');
    expect(lines(keys)).toHaveLength(100);
    expect(parseYaml(keys, 'f.yaml', z.record(z.string(), z.int())).ok).toBe(true);
    const twice = Array.from({ length: 300 }, () => '- {a: 1, a: 2}\n').join('');
    expect(lines(`items:\n${twice}`)).toHaveLength(100);
  });

  it('refuses what is too long before it is read', () => {
    expect(lines(' '.repeat(8_000_001))).toEqual(['f.yaml:1: is longer than 8000000 characters']);
  });

  it('answers with the value of YAML and of JSON alike', () => {
    const value = { name: 'a', items: [{ id: 'b' }] };
    expect(parseYaml('name: a\nitems: [{ id: b }]\n', 'f.yaml', schema)).toEqual({ ok: true, value });
    expect(parseYaml(JSON.stringify(value), 'f.json', schema)).toEqual({ ok: true, value });
  });

  it('takes an empty file for an empty map', () => {
    expect(parseYaml('# nothing yet\n', 'f.yaml', schema)).toEqual({ ok: true, value: {} });
  });
});

describe('nesting', () => {
  const deep = (open: string, count: number): string => `a: 1\nb:\n  ${open.repeat(count)}\n`;
  const indented = (count: number): string =>
    Array.from({ length: count }, (_, level) => `${' '.repeat(level)}a:\n`).join('');

  it.each<readonly [string, string, number]>([
    ['flow lists', deep('[', 40_000), 3],
    ['flow lists that are closed', deep(`${'['.repeat(1_000)}${']'.repeat(1_000)}`, 1), 3],
    ['flow maps', deep('{a: ', 5_000), 3],
    ['explicit keys', deep('? ', 5_000), 3],
    ['explicit keys in flow lists', deep('[? ', 5_000), 3],
    ['lists in one line', deep('- ', 5_000), 3],
    ['indented maps', indented(300), 65],
    ['indented lists', indented(300).replaceAll('a:', '-'), 65],
    ['a list after a quote that ends', `'${'['.repeat(100)}': ${'['.repeat(100)}`, 1],
  ])('that is too deep is refused: %s', (_, text, line) => {
    expect(lines(text)).toEqual([`f.yaml:${line}: nests deeper than 64 levels`]);
  });

  it.each<readonly [string, string]>([
    ['64 levels of flow lists', '['.repeat(64) + ']'.repeat(64)],
    ['64 levels of maps', `${indented(63)}${' '.repeat(63)}a: 1\n`],
    ['brackets in quotes', `'${'['.repeat(500)}': "${'{'.repeat(500)}\\""`],
    ['brackets in a comment', `a: 1 # ${'['.repeat(500)}\n# ${'- '.repeat(500)}\n`],
    ['brackets in a text block', `a: |\n  ${'['.repeat(500)}\n  ${'- '.repeat(500)}\n`],
    ['brackets in plain text', `a: x${'['.repeat(500)}`],
    ['many things side by side', `[${'[], '.repeat(5_000)}{}]\n`],
    ['many lines', '- a\n'.repeat(5_000)],
    ['dashes that are no lists', `a: ${'-'.repeat(500)}\n`],
  ])('that is not too deep is read: %s', (_, text) => {
    const parsed = parseYaml(text, 'f.yaml', z.unknown());
    expect(parsed.ok ? [] : parsed.problems).toEqual([]);
  });
});
