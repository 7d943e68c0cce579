// Entries of a registry: those of the repository have no fault, and an edited one is named, by file, line and key.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { sealed } from '../../conformance/tape/read-recording.js';
import { root } from '../../test/source-tree.js';
import { addEntry } from './add-entry.js';
import { checkRegistry } from './check-registry.js';

const SEEDS = join(root, 'registry');
const SEED = 'second-server/0.1.0';

type Json = Record<string, unknown>;
interface Line extends Json {
  readonly reply?: { readonly headers: Record<string, string>; readonly body: string };
}

/** The first lines of a recording of the repository: the run and some exchanges. */
const first: readonly string[] = gunzipSync(readFileSync(join(SEEDS, SEED, 'run.aips.gz')))
  .toString()
  .split('\n')
  .slice(0, 40);

/** A recording of those lines, one of which is changed; its digest fits. */
function written(place = 0, change: (line: Line) => Json = (line) => line): Buffer {
  const lines = first.map((line, at) => (at === place ? JSON.stringify(change(JSON.parse(line) as Line)) : line));
  return gzipSync(sealed(`${lines.join('\n')}\n`));
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aips-registry-'));
});

function add(tape: Buffer, version = '1.0.0', licence = 'MIT'): string {
  const file = join(folder, 'given.aips.gz');
  writeFileSync(file, tape);
  return addEntry(join(folder, 'registry'), file, { implementation: 'server', version, licence });
}

const problems = (): readonly string[] =>
  checkRegistry(join(folder, 'registry')).flatMap((each) =>
    each.problems.map((text) => text.replaceAll(`${folder}/`, '')),
  );

it('the entries of the repository have no problem', () => {
  const checked = checkRegistry(SEEDS);
  expect(checked.map(({ name }) => name)).toEqual([
    'aips-lab-reference/0.1.0',
    'second-server/0.1.0',
    'second-server-published/0.1.0',
  ]);
  expect(checked.flatMap((each) => each.problems)).toEqual([]);
});

describe('an entry', () => {
  it('is made of a recording, and has no verdict', () => {
    const place = add(written());
    const text = readFileSync(join(place, 'entry.yaml'), 'utf8');
    expect(text).toContain('implementation: server\nversion: 1.0.0\nlicence: MIT\nrecorded: 2026-');
    expect(text).not.toMatch(/pass|fail|hold/);
    expect(problems()).toEqual([]);
  });

  it('is refused with a licence that is none, before it is written', () => {
    expect(() => add(written(), '1.0.0', 'MIT; rm')).toThrow('--licence: must be an SPDX expression, such as MIT.');
    expect(() => add(written(), '../1')).toThrow('--version: must be 1 to 64 lower-case letters');
  });

  it.each([
    [
      'implementation: server',
      'implementation: other',
      /entry\.yaml:3: implementation: is other, and the folder is server/,
    ],
    ['licence: MIT', 'licence: MIT\nverdict: pass', /entry\.yaml:6: verdict: is not a key that is known here/],
    [/recorded: .*/, 'recorded: 2020-01-01', /entry\.yaml:6: recorded: is 2020-01-01, and the run began on 2026-/],
    [
      'dialect: service',
      'dialect: provenonce',
      /entry\.yaml:7: dialect: is provenonce, and the recording is in the dialect service/,
    ],
    [/text: .*/, `text: ${'f'.repeat(64)}`, /entry\.yaml:11: recorded_by\.text: is f{64}, and the recording has /],
    [
      /sha256: .*/,
      `sha256: ${'f'.repeat(64)}`,
      /recording\.sha256: is f{64}, and the file was changed: its SHA-256 is /,
    ],
    [
      /digest: .*/,
      `digest: ${'f'.repeat(64)}`,
      /recording\.digest: is f{64}, and the recording was changed: it ends with /,
    ],
  ])('that says otherwise than its recording is named: %s', (from, to, problem) => {
    const file = join(add(written()), 'entry.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    expect(problems()).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['a link', (place: string) => symlinkSync('/etc/hostname', join(place, 'run.aips.gz')), /must be a plain file/],
    [
      'too large',
      (place: string) => writeFileSync(join(place, 'run.aips.gz'), Buffer.alloc(4_000_001)),
      /has 4000001 bytes/,
    ],
    [
      'too large when unpacked',
      (place: string) => writeFileSync(join(place, 'run.aips.gz'), gzipSync(Buffer.alloc(2 ** 26 + 1))),
      /is larger than can be read when unpacked/,
    ],
    ['missing', () => undefined, /there is no such file/],
  ])('whose recording is %s is refused', (_, put, problem) => {
    const place = add(written());
    rmSync(join(place, 'run.aips.gz'));
    put(place);
    expect(problems()).toEqual([expect.stringMatching(problem)]);
  });

  it('has no other file beside it, and a registry no other folder', () => {
    const place = add(written());
    writeFileSync(join(place, 'verdict.json'), '{}');
    expect(problems()).toEqual(['registry/server/1.0.0/verdict.json:1: does not belong to the entry']);
    mkdirSync(join(folder, 'registry/Upper'));
    expect(problems).toThrow(/registry\/Upper: a name has 1 to 64 lower-case letters/);
  });

  it('has a recording of its own', () => {
    cpSync(add(written()), join(folder, 'registry/server/2.0.0'), { recursive: true });
    const file = join(folder, 'registry/server/2.0.0/entry.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('version: 1.0.0', 'version: 2.0.0'));
    expect(problems()).toEqual(['server/2.0.0/entry.yaml: recording.digest: is the recording of server/1.0.0, too']);
  });
});

describe('an edited recording', () => {
  it('is named where its digest was not made again', () => {
    const place = add(written());
    const file = join(place, 'run.aips.gz');
    writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('"status":401', '"status":200')));
    expect(problems()).toEqual([expect.stringMatching(/run\.aips\.gz:1: was changed after it was recorded/)]);
  });

  const edits: readonly (readonly [string, (line: Line) => Json, string])[] = [
    [
      'a longer body',
      (line) => ({ ...line, reply: { ...line.reply, headers: { ...line.reply?.headers, 'content-length': '1' } } }),
      'reply.headers.content-length: is 1, and the body has ',
    ],
    ['another server', (line) => ({ ...line, url: 'http://example.org/x' }), 'url: is of http://example.org, which'],
    ['another check', (line) => ({ ...line, owner: 'no/check' }), 'owner: no/check is no check of the run'],
    ['a number again', (line) => ({ ...line, sent: 0 }), 'sent: another request is number 0, too'],
    ['a later place', (line) => ({ ...line, after: 99 }), 'after: was sent after 99 entries'],
    [
      'an earlier date',
      (line) => ({
        ...line,
        reply: { ...line.reply, headers: { ...line.reply?.headers, date: 'Sun, 01 Nov 2026 00:00:00 GMT' } },
      }),
      'reply.headers.date: is ',
    ],
  ];
  it.each(edits)('that was sealed again is named by its line: %s', (_, change, message) => {
    expect(() => add(written(20, change))).toThrow(`run.aips.gz:21: ${message}`);
  });

  it('is named where many servers seem to have answered', () => {
    const lines = first.map((line, at) => {
      const parsed = JSON.parse(line) as Line;
      return at === 0 || parsed.reply === undefined
        ? line
        : JSON.stringify({
            ...parsed,
            reply: { ...parsed.reply, headers: { ...parsed.reply.headers, server: `s${at}` } },
          });
    });
    expect(() => add(gzipSync(sealed(`${lines.join('\n')}\n`)))).toThrow('reply.headers.server: is the 4th name');
  });
});
