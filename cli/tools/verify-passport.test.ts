import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { Deployment } from '../../test/fixtures/http.js';

let folder: string;
let deployment: Deployment;
let key: string;
type Printed = Record<string, unknown> & { issued_at: number; valid_until: number };
let passport: Printed;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aips-passport-'));
  deployment = await Deployment.start();
  const agent = await deployment.agent();
  const reply = (await agent.get('/agent/passport')).body;
  passport = reply.passport;
  const published = (await deployment.get('/.well-known/authority-key')).body;
  key = published.authority_public_key_hex;
  writeFileSync(join(folder, 'reply.json'), JSON.stringify(reply));
  writeFileSync(join(folder, 'key.json'), JSON.stringify(published));
});
afterAll(() => deployment.close());

async function judge(given: object, ...flags: string[]) {
  writeFileSync(join(folder, 'p.json'), JSON.stringify(given));
  const at = flags.includes('--at') ? [] : ['--at', String(passport.issued_at)];
  const { status, stdout } = await aips(
    folder,
    'tools',
    'verify-passport',
    'p.json',
    '--key',
    key,
    ...at,
    '--json',
    ...flags,
  );
  const { valid, reasons } = JSON.parse(stdout) as { valid: boolean; reasons: string[] };
  return { status, valid, reasons };
}

const sound = { status: 0, valid: true, reasons: [] };

describe('aips tools verify-passport', () => {
  it('takes a passport, or a reply with one, and a key as text or as published', async () => {
    expect(await judge(passport)).toEqual(sound);
    const at = String(passport.issued_at);
    const answer = await aips(folder, 'tools', 'verify-passport', 'reply.json', '--key', 'key.json', '--at', at);
    expect([answer.status, answer.stdout]).toEqual([
      0,
      expect.stringMatching(/^valid: of 0x[0-9a-f]{64}, narrow_task/),
    ]);
  });

  it('does not mind the order of the fields', async () => {
    expect(await judge(Object.fromEntries(Object.entries(passport).toReversed()))).toEqual(sound);
  });

  it.each<[string, (given: Printed) => object]>([
    ['agent_hash', (given) => ({ ...given, agent_hash: `0x${'0'.repeat(64)}` })],
    ['identity_class', (given) => ({ ...given, identity_class: 'orchestrator' })],
    ['valid_until', (given) => ({ ...given, valid_until: given.valid_until - 1 })],
    ['service_signature', (given) => ({ ...given, service_signature: '0'.repeat(128) })],
    ['service_signature of another type', (given) => ({ ...given, service_signature: 7 })],
  ])('sees another %s', async (_, change) => {
    expect(await judge(change(passport))).toEqual({
      status: 1,
      valid: false,
      reasons: ['the signature is not that of this key over these fields'],
    });
  });

  it('sees fields that are not signed, and a signature that is missing', async () => {
    for (const name of ['admin', 'constructor', 'toString', 'hasOwnProperty']) {
      const { status, reasons } = await judge({ ...passport, [name]: true });
      expect([status, reasons]).toEqual([1, [`it has fields that are not signed: ${name}`]]);
    }
    const { service_signature: _, ...bare } = passport;
    expect((await judge(bare)).reasons).toEqual(['it has no service_signature or provenonce_signature']);
  });

  it.each([
    [-1, ['it is not issued yet']],
    [0, []],
    [86_400_000, []],
    [86_400_001, ['it has expired']],
  ])('%i ms after its issue: %j', async (ms, reasons) => {
    expect((await judge(passport, '--at', String(passport.issued_at + ms))).reasons).toEqual(reasons);
  });

  it('refuses a time that has no date, and shows no name that acts on the terminal', async () => {
    const run = async (given: object) => {
      writeFileSync(join(folder, 'p.json'), JSON.stringify(given));
      return aips(folder, 'tools', 'verify-passport', 'p.json', '--key', key);
    };
    expect(await run({ ...passport, valid_until: 9_000_000_000_000_000 })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('valid_until'),
    });
    const { status, stdout } = await run({ ...passport, 'a\u001b[2J\nvalid: b': 1 });
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^not valid: .*a␛\[2J valid: b.*\n$/)]);
  });

  it('says what is wrong with its input, with status 2', async () => {
    const run = (...args: string[]) => aips(folder, 'tools', 'verify-passport', ...args);
    expect(await run('p.json', '--key', 'nokey')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('authority-key'),
    });
    expect(await run('p.json', '--key', key, '--at', 'soon')).toMatchObject({ status: 2 });
    expect(await run('key.json', '--key', key)).toMatchObject({ status: 2 });
    expect(await run('none.json', '--key', key)).toMatchObject({ status: 2 });
  });
});
