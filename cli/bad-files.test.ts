// Each argument that names a file, with each kind of bad file: a refusal in words, at once, with exit status 2.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-bad-files-'));
const URL = 'http://127.0.0.1:9';
const KEY = 'ab'.repeat(32);
const OTHER_LEDGER = `--rpc-url ${URL} --payment-address 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T`;

writeFileSync(join(folder, 'scenario.yaml'), readFileSync(join(root, 'scenarios/library/quickstart.yaml')));
writeFileSync(join(folder, 'file'), 'text\n');
mkdirSync(join(folder, 'folder'));
writeFileSync(
  join(folder, 'traffic.ndjson'),
  `{"request":{"method":"GET","url":"${URL}/api/v1/health"},"reply":{"status":200}}\n`,
);
writeFileSync(join(folder, 'torn'), '{"a":');
writeFileSync(join(folder, 'later'), '{"format": 99, "version": 99, "schema": "aips-lab/later/99"}\n');
writeFileSync(join(folder, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0xfe, 0, 200]));

const KINDS = ['folder', 'file/below', 'torn', 'later', 'binary'] as const;

/** Every argument that names a file or a folder. */
const commands: readonly string[] = [
  `conform --target FILE`,
  'watch FILE',
  'watch FILE FILE',
  'watch traffic.ndjson --target FILE',
  'watch traffic.ndjson --protocol FILE',
  'watch traffic.ndjson --lock FILE',
  `conform ${URL} --protocol FILE`,
  `conform ${URL} --baseline FILE`,
  `conform ${URL} --failed FILE`,
  'conform plan --target FILE',
  'conform explain heartbeat.interval.min FILE',
  'conform diff FILE FILE',
  'conform fuzz --target FILE',
  'conform fuzz FILE',
  'conform fuzz --protocol FILE',
  'conform self --protocol FILE',
  'conform replay FILE',
  'report FILE',
  'registry add FILE --implementation a --version 1 --licence MIT',
  'registry check FILE',
  'registry build FILE --out made',
  'experiment compare FILE FILE',
  'experiment power FILE FILE --difference 1',
  'experiment search FILE',
  'experiment equilibrium FILE',
  'experiment design FILE',
  'experiment resume FILE',
  'experiment again FILE',
  'experiment merge FILE FILE --out merged',
  'experiment sensitivity FILE',
  'experiment sweep FILE',
  'serve --port 0 --dialect FILE',
  'serve --port 0 --protocol FILE',
  `serve --port 0 ${OTHER_LEDGER} --fee-payer FILE`,
  'simulate FILE',
  'simulate scenario.yaml --protocol FILE',
  'simulate scenario.yaml --behaviours FILE',
  'simulate again FILE',
  'simulate resume FILE',
  'simulate fork FILE --at 1h',
  'simulate replicates FILE',
  'simulate against FILE FILE',
  'simulate bisect FILE FILE',
  'spec check FILE',
  'spec diff spec FILE',
  'spec lint FILE',
  'spec lint --accepted FILE',
  'spec openapi --dialect FILE',
  'spec openapi --protocol FILE',
  `tools beats submit FILE --beats-url ${URL}`,
  'tools beats verify FILE',
  `tools verify-passport FILE --key ${KEY}`,
  'tools wallet sign FILE a',
  'journal verify FILE',
  'journal replay FILE',
  'journal export FILE',
  'journal snapshot FILE',
  'journal backup FILE copy',
  'lab --no-open --no-run --port 0 --target FILE',
  'lab --no-open --no-run --port 0 --scenario FILE',
  'lab --no-open --no-run --port 0 --token-file FILE',
];

/** Words of programs, which no user should read: a code of the system, a stack, a missing value. */
const RAW = /\bE[A-Z]{4,}\b(?<!ERROR)|\n\s+at .*:\d+:\d+|\[object|undefined/;

describe('a bad file', () => {
  it.each(commands)('is refused in words by aips %s', async (command) => {
    for (const kind of KINDS) {
      const words = command.replaceAll('FILE', kind).split(' ');
      const { status, stdout, stderr } = await aips(folder, ...words);
      expect([kind, status, stdout]).toEqual([kind, 2, '']);
      expect(stderr).toMatch(/\S/);
      expect(stderr).not.toMatch(RAW);
    }
  });
});
