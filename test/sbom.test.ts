import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './source-tree.js';

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes: readonly { readonly content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

it('npm run sbom prints a CycloneDX bill of every package that users get, and of no other', () => {
  const bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })) as Bill;
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly version: string } & { readonly [flag in 'dev' | 'devOptional' | 'optional']?: boolean }>
    >;
  };
  const wanted = Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const named = bill.components.map(({ name, version }) => `${name}@${version}`);
  expect(named.toSorted()).toEqual([...new Set(wanted)].toSorted());
  const refs = bill.components.map(({ purl }) => purl);
  expect(refs).toContain('pkg:npm/%40noble/hashes@2.4.0');
  expect(bill.components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]?.content ?? ''))).toBe(true);
  const needed = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(needed.length).toBeGreaterThan(50);
  expect(needed.filter((ref) => !refs.includes(ref))).toEqual([]);
  // Everything is there because something needs it.
  expect(refs.filter((ref) => !needed.includes(ref))).toEqual([]);
});
