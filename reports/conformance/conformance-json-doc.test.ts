import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../results/schemas.js';

const text = readFileSync(new URL('../../docs/conformance-json.md', import.meta.url), 'utf8');

type Schema = { readonly [key: string]: unknown };

/** The names of all properties in a JSON Schema, wherever they are. */
function namesIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as Schema;
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...own, ...namesIn(Object.values(properties ?? {})), ...Object.values(rest).flatMap(namesIn)];
}

/** The words that the document shows as code, single names and those within braces. */
const shown = new Set([...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[a-z_]+/g) ?? []));

describe('docs/conformance-json.md', () => {
  it('names every field of the schema', () => {
    const names = new Set(namesIn(jsonSchemas().conformance));
    expect(names.size).toBeGreaterThan(60);
    expect([...names].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('names no field that the schema has not, in the first column of its tables', () => {
    const names = new Set(namesIn(jsonSchemas().conformance));
    const fields = [...text.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter((name) => !names.has(name))).toEqual([]);
  });
});
