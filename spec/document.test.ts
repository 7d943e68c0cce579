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
      'f.yaml:1: url: is missing: must be text',
      'f.yaml:1: port: must be a whole number',
      'f.yaml:2: on: must be true or false',
      'f.yaml:3: list: must be a list',
    ]);
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

  it('answers with the value of YAML and of JSON alike', () => {
    const value = { name: 'a', items: [{ id: 'b' }] };
    expect(parseYaml('name: a\nitems: [{ id: b }]\n', 'f.yaml', schema)).toEqual({ ok: true, value });
    expect(parseYaml(JSON.stringify(value), 'f.json', schema)).toEqual({ ok: true, value });
  });

  it('takes an empty file for an empty map', () => {
    expect(parseYaml('# nothing yet\n', 'f.yaml', schema)).toEqual({ ok: true, value: {} });
  });
});
