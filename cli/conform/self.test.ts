// Arguments that `aips conform self` refuses before anything is started.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));

it.each([
  [['http://127.0.0.1:1'], 'Unknown argument: http://127.0.0.1:1'],
  [['--protocol', 'none.yaml'], 'none.yaml: there is no such overlay file'],
  [['--under', 'none.yaml'], '--under needs --configuration: devnet, webhooks, secret, mainnet, free, provenonce.'],
  [['--configuration', 'webhooks', '--under', 'none.yaml'], 'none.yaml: there is no such overlay file'],
  [
    ['--configuration', 'webhooks', '--under', 'a.yaml', '--protocol', 'b.yaml'],
    'Give --protocol, for server and suite',
  ],
  [['--only', 'nothing/of-this'], 'No check has such an id, clause or section: nothing/of-this.'],
])('aips conform self refuses %j', async (args, message) => {
  const { status, stderr } = await aips(folder, 'conform', 'self', ...args);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});
