// A small registry as its site: an entry that passes, one of an older text, one of an earlier version, and an edited one.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { runSuite } from '../../conformance/run/runner.js';
import { sealed } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import { jsonSchemas } from '../../results/schemas.js';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { recordingOf } from '../suite/record.js';
import { suiteDigests } from '../suite/suite-digests.js';
import { addEntry } from './add-entry.js';
import { registrySite } from './judge-registry.js';

const STARTED_MS = Date.UTC(2026, 10, 29);
const folder = mkdtempSync(join(tmpdir(), 'aips-registry-site-'));
const registry = join(folder, 'registry');

/** A recording of a few checks on the reference. */
async function recording(): Promise<string> {
  const server = startInProcess(await loadReference(), { seed: 4 });
  const recorder = new Recorder(server.target, server.send);
  const options = { seed: 3, toolVersion: '0.1.0', nowWallMs: Date.now, only: ['status/reply', 'heartbeat/too-soon'] };
  const record = await runSuite(server.target, { ...options, transport: recorder.send, chains: recorder.chains });
  await server.close();
  return recordingOf(recorder, record, options, { startedMs: STARTED_MS, command: 'aips conform' });
}

function add(text: string, implementation: string, version: string): string {
  const file = join(folder, 'run.aips.gz');
  writeFileSync(file, gzipSync(text));
  return addEntry(registry, file, { implementation, version, licence: 'MIT' });
}

/** The same run with something else in its first line, sealed again. */
function under(text: string, from: string, to: string): string {
  const lines = text.split('\n').slice(0, -2);
  return sealed(`${[lines[0]?.replace(from, to), ...lines.slice(1)].join('\n')}\n`);
}

describe('the site of a registry', () => {
  let site: Awaited<ReturnType<typeof registrySite>>;
  beforeAll(async () => {
    const text = await recording();
    add(text, 'one', '2.0.0');
    add(under(text, String(STARTED_MS), String(STARTED_MS - 86_400_000)), 'one', '1.0.0');
    add(under(text, suiteDigests().text, '0'.repeat(64)), 'old', '1.0.0');
    const edited = join(add(under(text, '"seed":3', '"seed":4'), 'two', '1.0.0'), 'run.aips.gz');
    writeFileSync(
      edited,
      gzipSync(gunzipSync(readFileSync(edited)).toString().replace('"status":200', '"status":201')),
    );
    site = await registrySite(registry);
  });

  it('has each entry that could be judged, with what was judged beside what passes, the newest first', () => {
    const rows = site.registry.entries.map(
      ({ implementation, version, recorded, expired, judged: { must, fails } }) => [
        ...[implementation, version, recorded, expired],
        must.hold === must.judged && must.judged > 5 && must.judged < must.total && fails.length === 0,
      ],
    );
    expect(rows).toEqual([
      ['old', '1.0.0', '2026-11-29', true, true],
      ['one', '2.0.0', '2026-11-29', false, true],
      ['one', '1.0.0', '2026-11-28', false, true],
    ]);
    expect(site.registry.entries[1]?.judged.holds).toContain('heartbeat.interval.min');
  });

  it('names the edited one, which has no row', () => {
    expect(site.registry.refused).toEqual([
      {
        entry: 'two/1.0.0',
        problems: [expect.stringContaining('two/1.0.0/run.aips.gz:1: was changed after it was recorded')],
      },
    ]);
    expect(site.files['index.html']).toContain('was changed after it was recorded');
  });

  it('is JSON by its schema', () => {
    const json = JSON.parse(site.files['registry.json'] ?? '') as object;
    expect(schemaFaults(jsonSchemas().registry, json)).toEqual([]);
    expect(schemaFaults(jsonSchemas().registry, { ...json, entries: 1 })).not.toEqual([]);
  });

  it('has a page and a badge of each entry and of each implementation, and links that lead to files', () => {
    expect(Object.keys(site.files).toSorted()).toEqual([
      'clauses.html',
      'index.html',
      'old/1.0.0/badge.svg',
      'old/1.0.0/index.html',
      'old/badge.svg',
      'one/1.0.0/badge.svg',
      'one/1.0.0/index.html',
      'one/2.0.0/badge.svg',
      'one/2.0.0/index.html',
      'one/badge.svg',
      'registry.json',
    ]);
    for (const [name, text] of Object.entries(site.files).filter(([path]) => path.endsWith('.html'))) {
      // The script of a page has addresses with parts to fill in.
      const markup = text.replaceAll(/<script[\s\S]*?<\/script>/g, '');
      const links = [...markup.matchAll(/href="([^"#:]+)"/g)].map(([, href = '']) => join(dirname(name), href));
      expect(links.filter((path) => site.files[path] === undefined)).toEqual([]);
    }
    expect(site.files['old/badge.svg']).toContain(', of an older text');
    expect(site.files['one/badge.svg']).toBe(site.files['one/2.0.0/badge.svg']);
  });

  it('says of each clause who passes it, and of entries that have expired that they have', () => {
    const row = /id="clause-heartbeat-interval-min".*?<\/tr>|>heartbeat\.interval\.min<.*?<\/tr>/s.exec(
      site.files['clauses.html'] ?? '',
    );
    expect(row?.[0]).toContain('href="one/2.0.0/index.html"');
    expect(row?.[0]).toContain('<span class="why"><a href="old/1.0.0/index.html">old</a> (expired)</span>');
    expect(row?.[0].match(/\(expired\)/g)).toHaveLength(1);
    expect(site.files['index.html']).not.toContain('All entries are expired.');
  });
});
