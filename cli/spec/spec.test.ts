import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decisions } from '../../spec/decisions.js';
import { aips } from '../../test/fixtures/aips.js';
import { openApiFaults } from '../../test/fixtures/openapi.js';
import { root } from '../../test/source-tree.js';

interface Row {
  readonly id: string;
  readonly section: string;
  readonly level: string;
  readonly text: string;
  readonly where: string;
  readonly checks: readonly string[];
}

describe('aips spec', () => {
  it('clauses --json lists every clause with its section and the checks that judge it', async () => {
    const { status, stdout } = await aips(root, 'spec', 'clauses', '--json');
    expect(status).toBe(0);
    const rows = JSON.parse(stdout) as Row[];
    expect(rows.length).toBeGreaterThan(350);
    const interval = rows.find(({ id }) => id === 'heartbeat.interval.min');
    expect(interval).toMatchObject({ section: '4.5', level: 'must', where: 'paragraph “Minimum interval”' });
    expect(rows.filter(({ where }) => where === '')).toEqual([]);
    expect(interval?.checks).toContain('heartbeat/too-soon');
  });

  it('clauses lists them for people, and one section on request', async () => {
    const { status, stdout } = await aips(root, 'spec', 'clauses', '4.5');
    expect(status).toBe(0);
    expect(stdout).toContain('heartbeat.interval.min\n');
    expect(stdout).toContain('rests on: section 4.5, paragraph “Minimum interval”\n');
    expect(stdout).toMatch(/judged by: .*heartbeat\/too-soon/);
    expect(stdout).not.toContain('4.6   must');
    expect(await aips(root, 'spec', 'clauses', '12')).toMatchObject({ status: 2 });
  });

  it('decisions lists all of them', async () => {
    const rows = JSON.parse((await aips(root, 'spec', 'decisions', '--json')).stdout) as { id: string }[];
    expect(rows.map(({ id }) => id)).toEqual(decisions.map(({ id }) => id));
  });

  it('decisions prints some of them by id, and knows no other', async () => {
    const { stdout } = await aips(root, 'spec', 'decisions', 'D-05', 'D-22');
    expect(stdout.match(/^D-\d\d /gm)).toEqual(['D-05 ', 'D-22 ']);
    const { status, stderr } = await aips(root, 'spec', 'decisions', 'D-99');
    expect([status, stderr]).toEqual([2, `There is no decision D-99: they are D-01 to ${decisions.at(-1)?.id}.\n`]);
  });

  it('decisions --by-checks names the few that most checks depend on, and what they build on them', async () => {
    const { status, stdout } = await aips(root, 'spec', 'decisions', '--by-checks');
    expect(status).toBe(0);
    const counts = [...stdout.matchAll(/^D-\d\d .+: (\d+) of \d+ checks$/gm)].map(([, count]) => Number(count));
    expect(counts).toHaveLength(10);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(stdout).toMatch(/^D-22 .+\n {2}\d+ checks build on it: fees are paid to payment_address of/m);
    expect(stdout).toMatch(/^D-05 /m);
    const uses = JSON.parse((await aips(root, 'spec', 'decisions', '--by-checks', '--json')).stdout) as object[];
    expect(uses.length).toBeGreaterThan(40);
    expect(uses[0]).toMatchObject({ built: expect.any(Array), judged: expect.any(Array), what: expect.any(Array) });
  });

  it('docs/ is what spec/ prints, and a document that differs is named', async () => {
    expect(await aips(root, 'spec', 'docs', '--check')).toEqual({ status: 0, stdout: '', stderr: '' });
    const folder = mkdtempSync(join(tmpdir(), 'aips-docs-'));
    await aips(folder, 'spec', 'docs');
    expect((await aips(folder, 'spec', 'docs', '--check')).status).toBe(0);
    writeFileSync(join(folder, 'docs/errors.md'), 'old');
    const { status, stderr } = await aips(folder, 'spec', 'docs', '--check');
    expect(status).toBe(1);
    expect(stderr).toBe('docs/errors.md is out of date: run npm run docs.\n');
  });
});

describe('aips spec openapi', () => {
  const printed = async (...flags: string[]): Promise<Document> => {
    const { status, stdout, stderr } = await aips(root, 'spec', 'openapi', ...flags);
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Document;
  };

  it.each([[[]], [['registry', '--dialect', 'provenonce']], [['beats']]])(
    '%j prints OpenAPI 3.1 by a public validator',
    async (flags) => {
      expect(await openApiFaults(await printed(...flags))).toBe('');
    },
  );

  interface Operation {
    parameters: Record<string, unknown>[];
    readonly responses: Record<string, Record<string, unknown>>;
    [field: string]: unknown;
  }
  interface Document {
    readonly info: Record<string, unknown>;
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly securitySchemes: Record<string, Record<string, unknown>> };
    [field: string]: unknown;
  }
  const faults: readonly (readonly [string, (document: Document, status: Operation) => unknown])[] = [
    ['no title', ({ info }) => delete info['title']],
    ['another version', (document) => Object.assign(document, { openapi: '3.9.1' })],
    ['an unknown field', (document) => Object.assign(document, { routes: {} })],
    ['a path without a slash', ({ paths }) => Object.assign(paths, { status: {} })],
    ['a reply without a description', (_, { responses }) => delete responses['200']?.['description']],
    ['an invalid status', (_, { responses }) => Object.assign(responses, { ok: { description: 'OK' } })],
    ['a parameter nowhere', (_, { parameters }) => delete parameters[0]?.['in']],
    ['a path parameter that may be left out', (_, { parameters }) => delete parameters[0]?.['required']],
    ['an operation with an unknown field', (_, operation) => Object.assign(operation, { body: {} })],
    ['a scheme of no type', ({ components }) => delete components.securitySchemes['agentKey']?.['type']],
  ];

  let whole: Document;
  beforeAll(async () => {
    whole = await printed();
  });

  it.each(faults)('the validator would not take %s', async (_fault, plant) => {
    const document = structuredClone(whole);
    const operation = document.paths['/api/v1/status/{hash}']?.['get'];
    if (operation === undefined) throw new Error('the document has no GET /status/{hash}');
    plant(document, operation);
    expect(await openApiFaults(document)).not.toBe('');
  });
});

describe('aips spec lint', () => {
  const overlayFile = (text: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'aips-lint-')), 'change.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('knows every error of the specification as it stands, with its reason', async () => {
    const { status, stdout, stderr } = await aips(root, 'spec', 'lint');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('error    class-cap/narrow-task\n');
    expect(stdout).toContain('known: The cap is the text');
    expect(stdout).toMatch(/\d+ findings: \d+ errors, of which 0 not known, \d+ warnings, \d+ notes\.\n$/);
  });

  it('ends with 1 for an error that a change brings, and prints it as JSON', async () => {
    const path = overlayFile('heartbeat: { intervalBeatsMin: 61 }\n');
    const { status, stdout } = await aips(root, 'spec', 'lint', path, '--json');
    expect(status).toBe(1);
    const findings = JSON.parse(stdout) as Record<string, unknown>[];
    for (const finding of findings)
      expect(Object.keys(finding).filter((key) => key !== 'was')).toEqual([
        'id',
        'severity',
        'clauses',
        'arithmetic',
        'remedy',
        'state',
      ]);
    expect(findings.find(({ id }) => id === 'class-cap/interval')).toMatchObject({ severity: 'error' });
  });

  it('takes findings as accepted from a file, and says what is wrong with one', async () => {
    const accepted = overlayFile('findings: [{ id: class-cap/interval, reason: it is the point of the change }]\n');
    const change = overlayFile('heartbeat: { intervalBeatsMin: 61 }\n');
    const { status, stdout } = await aips(root, 'spec', 'lint', change, '--accepted', accepted);
    expect([status, stdout.includes('class-cap/interval (new, accepted)\n')]).toEqual([0, true]);
    const bad = await aips(root, 'spec', 'lint', '--accepted', overlayFile('findings: [{ id: x }]\n'));
    expect([bad.status, bad.stderr]).toEqual([2, expect.stringContaining('reason: is missing')]);
    expect(await aips(root, 'spec', 'lint', '--hash-rate', 'fast')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('such as 2M hashes/s'),
    });
  });
});

describe('aips spec diff', () => {
  const overlayFile = (text: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'aips-diff-')), 'change.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('compares an overlay with the specification: numbers, clauses, checks, findings', async () => {
    const path = overlayFile('heartbeat: { intervalBeatsMin: 61 }\n');
    const { status, stdout, stderr } = await aips(root, 'spec', 'diff', path, '--replicates', '0', '--json');
    expect([status, stderr]).toEqual([0, '']);
    const diff = JSON.parse(stdout);
    expect(diff.numbers).toEqual([{ path: 'heartbeat.intervalBeatsMin', unit: 'beats', from: 10, to: 61 }]);
    expect(diff.checks).toContain('heartbeat/too-soon');
    expect(diff.findings.appear.map(({ id }: { id: string }) => id)).toContain('class-cap/interval');
    expect(diff.effects).toEqual([]);
  });

  it('compares two overlays, and writes JSON, Markdown and a page', async () => {
    const [one, other] = [overlayFile('dms: { warningAnchors: 30 }\n'), overlayFile('dms: { warningAnchors: 20 }\n')];
    const folder = mkdtempSync(join(tmpdir(), 'aips-diff-'));
    const { status, stdout } = await aips(folder, 'spec', 'diff', one, other, '--replicates', '0', '--out', 'out');
    expect([status, stdout.includes('dms.warningAnchors: 30 → 20 anchors')]).toEqual([0, true]);
    for (const file of ['spec-diff.json', 'spec-diff.md', 'spec-diff.html'])
      expect(existsSync(join(folder, 'out', file)), file).toBe(true);
  });

  it.each([
    [['no-such.yaml'], 'no-such.yaml: there is no such overlay file'],
    [['spec', '--replicates', '1'], '--replicates must be 2 or more'],
  ])('%j ends with 2: %s', async (args, message) => {
    const { status, stderr } = await aips(root, 'spec', 'diff', ...args);
    expect([status, stderr.includes(message)]).toEqual([2, true]);
  });
});
