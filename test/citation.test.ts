import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './source-tree.js';

/** The fields that the Citation File Format 1.2.0 requires. */
const REQUIRED = ['cff-version', 'message', 'title', 'authors'] as const;
const TYPES = ['software', 'dataset'];

function problemsOf(file: Readonly<Record<string, unknown>>): string[] {
  const problems = REQUIRED.filter((key) => file[key] === undefined).map((key) => `${key} is missing`);
  if (file['cff-version'] !== '1.2.0') problems.push('cff-version is not 1.2.0');
  if (file['type'] !== undefined && !TYPES.includes(String(file['type']))) problems.push('type is unknown');
  const authors = file['authors'];
  if (!Array.isArray(authors) || authors.length === 0) return [...problems, 'authors is not a list of somebody'];
  // A person has names, an entity one name.
  const named = (authors as Readonly<Record<string, unknown>>[]).every(
    (author) => typeof author['name'] === 'string' || typeof author['family-names'] === 'string',
  );
  return named ? problems : [...problems, 'an author has no name'];
}

describe('CITATION.cff', () => {
  const file = parse(readFileSync(join(root, 'CITATION.cff'), 'utf8')) as Record<string, unknown>;
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

  it('has every required key, and the version and licence of the package', () => {
    expect(problemsOf(file)).toEqual([]);
    expect([file['version'], file['license']]).toEqual([version, license]);
  });

  it.each(REQUIRED)('without %s it would be refused', (key) => {
    const { [key]: _dropped, ...rest } = file;
    expect(problemsOf(rest)).not.toEqual([]);
  });
});
