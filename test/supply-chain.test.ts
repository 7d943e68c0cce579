import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.js';

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
/** Every package that is installed, by the last part of its path: `@scope/name` or `name`. */
const installed = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ name: path.split('node_modules/').at(-1) ?? '', ...locked }));
/** An optional package is there as the peer of another: npm does not install it with ours. */
const withUsers = installed.filter(({ dev, devOptional, optional }) => !dev && !devOptional && !optional);

/** Licences that ask for no more than to be named. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'MIT OR Apache-2.0',
];
/** Packages whose permissive licence is in their LICENSE file, and not in the lock. */
const BY_FILE = { jstat: 'MIT' };
/** Packages for development alone, which no user gets: their licences ask for more, or are in a file and not in the lock. */
const FOR_DEVELOPERS = ['axe-core', 'caniuse-lite', 'rpc-websockets', 'eyes', 'text-encoding-utf-8'];

describe('packages', () => {
  it('that users get have licences that ask for no more than to be named', () => {
    expect(withUsers.length).toBeGreaterThan(20);
    expect(withUsers.filter(({ license = '' }) => !PERMISSIVE.includes(license)).map(({ name }) => name)).toEqual(
      Object.keys(BY_FILE),
    );
    for (const name of Object.keys(BY_FILE)) {
      const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
      expect(text).toContain('Permission is hereby granted, free of charge, to any person obtaining a copy');
    }
  });

  it('for development do too, but for those that are known', () => {
    const others = installed.filter(
      ({ name, license = '' }) => !PERMISSIVE.includes(license) && !/^lightningcss/.test(name),
    );
    expect(new Set(others.map(({ name }) => name))).toEqual(new Set([...FOR_DEVELOPERS, ...Object.keys(BY_FILE)]));
  });

  it('run nothing when users install them; three that are optional do so for developers', () => {
    expect(withUsers.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual([]);
    const running = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(running.toSorted()).toEqual(['bufferutil', 'msgpackr-extract', 'utf-8-validate']);
  });

  it('are what they were when they were locked: each has its SHA-512, and comes from the registry', () => {
    expect(installed.filter(({ integrity = '' }) => !integrity.startsWith('sha512-')).map(({ name }) => name)).toEqual(
      [],
    );
    const elsewhere = installed.filter(
      ({ resolved }) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(({ name }) => name)).toEqual([]);
  });

  it('are locked for every platform that they are built for', () => {
    const built = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
    expect(built.length).toBeGreaterThan(20);
    const names = new Set(installed.map(({ name }) => name));
    expect(built.filter((name) => !names.has(name))).toEqual([]);
  });

  it('of ours are published with their provenance, by CI alone', () => {
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>;
    expect(own['publishConfig']).toEqual({ access: 'public', provenance: true });
  });
});
