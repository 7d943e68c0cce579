import { describe, expect, it } from 'vitest';
import { readProtocol } from '../../cli/flags/facts.js';
import { startReference } from '../../runs/server/reference-process.js';
import { dialects } from '../../spec/dialect.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { wireTo } from '../fixtures/wire.js';
import { beatRows } from './beats.js';
import { familyRows } from './family.js';
import { identityRows } from './identity.js';
import { Lab } from './lab.js';
import { limitRows } from './limits.js';
import { livenessRows } from './liveness.js';
import { moneyRows } from './money.js';
import { quotedRows } from './quoted.js';
import { requestRows } from './requests.js';
import { judge, type Row, type Serve, serveHere } from './row.js';

const rows: readonly Row[] = [
  ...identityRows,
  ...beatRows,
  ...moneyRows,
  ...livenessRows,
  ...familyRows,
  ...requestRows,
  ...limitRows,
];

it('every number of the protocol has a row, with the value of the specification, and no row is of anything else', () => {
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);
  const inRows = rows.map(({ path, spec: value }) => ({ path, value }));
  expect(inRows.toSorted(byPath)).toEqual(protocolNumbers().toSorted(byPath));
});

async function expectObeyed(row: Row, serve: Serve): Promise<void> {
  const { original, changed } = await judge(row, serve);
  expect(original, `${row.path} as specified`).toEqual(row.edge(row.spec));
  expect(changed.length).toBeGreaterThan(0);
  for (const { value, wanted, found, foundBefore } of changed) {
    expect(found, `${row.path}: ${value}`).toEqual(wanted);
    expect(foundBefore, `${row.path}: ${value}, where the boundary was`).not.toEqual(original);
  }
}

describe('a reply follows the number that an overlay changes, and without the overlay the specification', () => {
  it.each(rows.map((row) => [row.path, row] as const))('%s', async (_path, row) => {
    await expectObeyed(row, serveHere);
  });
});

describe('what other replies quote of a number follows it too', () => {
  it.each(quotedRows.map((row, i) => [row.path, i, row] as const))('%s (%#)', async (_path, _i, row) => {
    await expectObeyed(row, serveHere);
  });
});

/** `aips serve`, with `--protocol` where there is a file. */
const serveThere: Serve = async (file, use) => {
  const flags = file === undefined ? [] : ['--protocol', file];
  const { target, stop } = await startReference({ seed: 1, flags });
  const { baseUrl, beatsUrl, control } = target;
  if (beatsUrl === null || control === undefined) throw new Error('the reference offers all of it');
  const facts = { protocol: readProtocol(file), dialect: dialects.service };
  const urls = { baseUrl, beatsUrl, controlUrl: control.url, controlToken: control.token };
  try {
    return await use(new Lab(wireTo(urls, facts), null));
  } finally {
    await stop();
  }
};

describe('the same over `aips serve --protocol FILE`', () => {
  const chosen = ['heartbeat.intervalBeatsMin', 'verifyBatch.hashesMax', 'limits.registerToken.windowSec'];
  it.each(chosen)('%s', async (path) => {
    const row = rows.find((each) => each.path === path);
    if (row === undefined) throw new Error(`${path} has no row`);
    await expectObeyed({ ...row, changed: row.changed.slice(0, 1) }, serveThere);
  });
});
