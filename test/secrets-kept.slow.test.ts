// A target that sends back every secret in every form, and all that a run against it writes.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { baselineText } from '../conformance/judge/baseline.js';
import { Wallet } from '../conformance/protocol/wallet.js';
import { conform } from '../conformance/run/runner.js';
import { Recorder } from '../conformance/tape/recording.js';
import { bareTarget, type Target } from '../conformance/target/target.js';
import { type Transport, TransportFailure } from '../conformance/wire/transport.js';
import { conformanceJson } from '../reports/conformance/conformance-json.js';
import { conformanceSummary } from '../reports/conformance/console.js';
import { formats, reportFiles } from '../runs/suite/report-files.js';
import { recordedRun } from './fixtures/fake-target.js';
import { leaksIn, textsOf, waysToWrite } from './fixtures/leaks.js';

const PAYER = new Wallet(createHash('sha256').update('MARKED payer').digest());
const numbers = PAYER.keyFileNumbers();

/** Secrets that the suite is given, each with a mark that nothing else has. */
const given = {
  registration: 'reg/ist+MARKED-Zq81 "x"',
  admin: 'pva_MARKEDadmin0Xy17',
  partner: 'pvt_MARKEDpartner0Wv26',
  control: 'Qx7vZk2W',
  payer: Buffer.from(numbers.slice(0, 32)).toString('hex'),
};

/** Secrets that the target hands out. */
const issued = {
  key: `pvn_${Buffer.from('{"h":"0x1","k":7,"iat":1}').toString('base64url')}.${'9c4e1f07'.repeat(8)}`,
  secret: '5d2a90b8e6c1437f'.repeat(4),
  token: '71f0c3a59e8b2d64'.repeat(4),
  webhook: 'b3e7d1096fa2584c'.repeat(4),
};
const secrets: Readonly<Record<string, string>> = { ...given, ...issued };

function echo(turn: number): string {
  const forms = Object.values(secrets).flatMap((secret) => Object.values(waysToWrite(secret)));
  // Escaped characters stay escaped.
  const some = forms
    .filter((_, index) => index % 3 === turn % 3)
    .map((form) => (form.includes('\\') ? `"${form}"` : JSON.stringify(form)));
  const split = Object.values(secrets).map((secret) => {
    const at = turn % 2 === 0 ? Math.floor(secret.length / 2) : secret.length - 4;
    return JSON.stringify({ a: secret.slice(0, at), b: turn, c: secret.slice(at) });
  });
  const key = turn % 2 === 0 ? JSON.stringify(numbers) : numbers.slice(0, 32).join(', ');
  return `"echo":[${some.join(',')}],"split":[${split.join(',')}],"key":"${key}"`;
}

const handedOut = { api_key: issued.key, secret: issued.secret, token: issued.token, webhook_secret: issued.webhook };

/** Answers with all that it knows: a success, a refusal, an error, no JSON, or nothing at all. */
function leaking(): Transport {
  let turn = 0;
  return async ({ url }) => {
    turn += 1;
    const body = `{"ok":true,"code":"${given.control}","error":"you sent ${given.admin}",${echo(turn)}`;
    const headers = {
      'content-type': 'application/json',
      'x-echo': given.partner,
      location: `/?k=${encodeURIComponent(given.registration)}`,
    };
    if (url.includes('/control/')) return { status: 200, headers, body: `${body},"calls":[]}` };
    if (url.endsWith('/register') || turn % 5 === 0) {
      const hash = `0x${turn.toString(16).padStart(64, '0')}`;
      return { status: 200, headers, body: `${body},${JSON.stringify({ ...handedOut, hash }).slice(1)}` };
    }
    if (turn % 7 === 0) return { status: 500, headers, body: `<h1>${secrets['admin']}</h1><p>${body}</p>` };
    if (turn % 11 === 0) throw new TransportFailure('broken', `bad header: ${given.control} ${issued.key}`);
    return { status: turn % 2 === 0 ? 401 : 200, headers, body: `${body}}` };
  };
}

const target: Target = {
  ...bareTarget('http://127.0.0.1:9'),
  registrationSecret: given.registration,
  adminKey: given.admin,
  partnerKey: given.partner,
  control: { url: 'http://127.0.0.1:9', token: given.control },
  payments: { kind: 'solana-rpc', rpcUrl: 'http://127.0.0.1:9', wallet: PAYER },
};

async function judged() {
  const recorder = new Recorder({ ...target, payments: { kind: 'none' } }, leaking());
  const options = { seed: 1, toolVersion: '0', nowWallMs: () => 0, concurrency: 1 };
  const messages: string[] = [];
  const result = await conform(target, {
    ...options,
    // More than have to fail: a check whose requests meet the reply that is lost is not judged.
    only: ['register/root', 'verify-batch/empty', 'partner-webhook/set', 'partner-webhook/refused', 'subsidy/key*'],
    transport: recorder.send,
    onResult: (check) => messages.push(JSON.stringify(check)),
  });
  const checks = result.checks.map(({ id }) => id);
  return { result, messages, tape: recorder.written(options, { ...recordedRun, checks }) };
}

describe('secrets', () => {
  it('of a target that sends all of them back in every form stand in nothing that a run writes', async () => {
    const { result, messages, tape } = await judged();
    const writing = { command: 'aips conform', strict: false };
    const files = reportFiles(result, writing);
    const said = [
      conformanceSummary(result, { colour: false, ...writing }),
      conformanceJson(result),
      baselineText(result, 0, undefined, false),
      ...messages,
    ];
    expect(result.requests).toBeGreaterThan(20);
    expect(result.checks.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(2);
    expect(Object.keys(files)).toHaveLength(formats.length + 1);
    // More texts than files: what a page holds packed is read, too.
    expect(textsOf(files).length).toBeGreaterThan(Object.keys(files).length);
    const texts = [...said, ...textsOf(files)];
    expect(leaksIn(texts, secrets)).toEqual([]);
    // A run that is recorded has no key to pay with.
    const { payer: _, ...recorded } = secrets;
    expect(leaksIn([tape], recorded)).toEqual([]);
    for (const name of [
      'REGISTRATION_SECRET',
      'ADMIN_KEY',
      'PARTNER_KEY',
      'CONTROL_TOKEN',
      'PAYMENT_KEY',
      'API_KEY_1',
    ]) {
      expect(conformanceJson(result)).toContain(`[${name}]`);
    }
  });

  it('would be found: one that is planted in a report is, in whatever form', () => {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const [way, written] of Object.entries(waysToWrite(secret))) {
        const found = leaksIn([`{"a":"${written}"}`], secrets).map((line) => line.split(':')[0]);
        expect([way, found]).toEqual([way, expect.arrayContaining([name])]);
      }
      expect(leaksIn([secret.slice(0, Math.floor(secret.length / 2))], secrets)).not.toEqual([]);
    }
    expect(leaksIn(['nothing of the kind', '0123456789abcdef'.repeat(8)], secrets)).toEqual([]);
  });
});
