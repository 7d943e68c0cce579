import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Wallet } from '../protocol/wallet.js';
import { Redactor } from './redact.js';

const SECRET = 'Tok/en+S3CRET "x" 0123é9';
const KEY = new Wallet(new Uint8Array(32).fill(7)).keyFileNumbers();

const bytes = Buffer.from(SECRET, 'utf8');
const unicode = (text: string): string =>
  Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percent = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** How a target may write a secret. */
const forms: readonly (readonly [form: string, text: string])[] = [
  ['as it is', SECRET],
  ['in JSON', JSON.stringify({ a: SECRET })],
  ['in JSON with escaped slashes', JSON.stringify({ a: SECRET }).replaceAll('/', '\\/')],
  ['in JSON with every character escaped', `{"a":"${unicode(SECRET)}"}`],
  ['in JSON in JSON', JSON.stringify({ a: JSON.stringify({ b: SECRET }) })],
  ['in a URL', `http://h/?q=${encodeURIComponent(SECRET)}&z=1`],
  ['in a form', `q=${encodeURIComponent(SECRET).replaceAll('%20', '+')}`],
  ['with every byte percent-encoded', `q=${percent(SECRET)}`],
  ['in HTML', SECRET.replaceAll('"', '&quot;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')],
  ['in upper case', SECRET.toUpperCase().replaceAll('É', 'é')],
  ['in base64', bytes.toString('base64')],
  ['in base64 for URLs', bytes.toString('base64url')],
  ['in base64 after one byte', Buffer.from(`x${SECRET}yz`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`xy${SECRET}`).toString('base64')],
  ['in base64 with a user', Buffer.from(`user:${SECRET}`).toString('base64')],
  ['in base64, percent-encoded', percent(bytes.toString('base64'))],
  ['in hex', bytes.toString('hex')],
  ['as numbers', [...bytes].join(',')],
  ['as Node writes bytes in JSON', JSON.stringify(bytes)],
  ['as numbers on lines', JSON.stringify([...bytes], null, 2)],
  ['as Node prints bytes', `<Buffer ${bytes.toString('hex').match(/../g)?.join(' ')}>`],
  ['in hex with colons', (bytes.toString('hex').match(/../g) ?? []).join(':').toUpperCase()],
  ['as bytes of C', Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')],
  ['quoted-printable', Array.from(bytes, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')],
  [
    'in octal escapes',
    Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join('')
      .replace(/\\303\\251/, 'é'),
  ],
  ['in braces', Array.from(SECRET, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`).join('')],
  ['in HTML without semicolons', Array.from(SECRET, (char) => `&#${char.charCodeAt(0)}`).join('')],
  ['in upper-case hex', `0x${bytes.toString('hex').toUpperCase()}`],
];

describe('a secret of the target file is found', () => {
  const redactor = new Redactor({ CONTROL_TOKEN: SECRET });

  it.each(forms)('%s', (_, text) => {
    const shown = redactor.redact(`before ${text} after`);
    expect(shown).toMatch(/^before .*\[CONTROL_TOKEN\].* after$/s);
    expect(redactor.redact(text).length).toBeLessThan(50);
  });

  it('in two fields of one reply, and in two headers', () => {
    for (const at of [1, 4, 9, 12, 20]) {
      const [head, tail] = [SECRET.slice(0, at), SECRET.slice(at)];
      const [shown = ''] = redactor.together([JSON.stringify({ a: head, b: 1, c: tail })]);
      expect(shown).not.toContain(JSON.stringify(tail).slice(1, 9));
      if (at >= 4) expect(shown).not.toContain(JSON.stringify(head).slice(1, 5));
      expect(shown).toContain('"b":1');
      const apart = redactor.together([head, tail]);
      expect(apart[1]).toBe('[part of CONTROL_TOKEN]');
    }
  });

  it('in two fields where it is so short that its halves are words', () => {
    const short = new Redactor({ ADMIN_KEY: 'abcd1234' });
    expect(short.together(['{"a":"abcd","b":"1234"}'])).toEqual([
      '{"a":"[part of ADMIN_KEY]","b":"[part of ADMIN_KEY]"}',
    ]);
    expect(short.together(['{"a":"abcd","b":"123"}'])).toEqual(['{"a":"abcd","b":"123"}']);
  });

  it('in part; words of the specification are none', () => {
    const wordy = new Redactor({ REGISTRATION_SECRET: 'test-registration-secret-9f1c' });
    expect(wordy.redact('send x-registration-secret')).toBe('send x-registration-secret');
    expect(wordy.redact('you sent …secret-9f1c')).toBe('you sent …[part of REGISTRATION_SECRET]');
  });

  it('where it has less than 8 characters and is all of a value, and a name of a field is none', () => {
    const short = new Redactor({ CONTROL_TOKEN: 'lab' });
    expect(short.redact('Bearer lab')).toBe('Bearer [CONTROL_TOKEN]');
    expect(short.redact('lab')).toBe('[CONTROL_TOKEN]');
    expect(short.redact('{"lab":"lab","b":["lab"],"c":"labour","d":"\\"lab\\""}')).toBe(
      '{"lab":"[CONTROL_TOKEN]","b":["[CONTROL_TOKEN]"],"c":"labour","d":"\\"[CONTROL_TOKEN]\\""}',
    );
  });
});

it('the key of a wallet is found in every form in which one keeps it; its public half is none', () => {
  const redactor = new Redactor({ PAYMENT_KEY: KEY });
  const secret = Buffer.from(KEY.slice(0, 32));
  const wallet = new Wallet(secret);
  for (const text of [
    JSON.stringify(KEY),
    JSON.stringify(KEY, null, 2),
    KEY.slice(0, 32).join(', '),
    secret.toString('hex'),
    secret.toString('base64'),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(KEY).toString('hex').toUpperCase(),
  ]) {
    expect(redactor.redact(text)).toContain('[PAYMENT_KEY]');
  }
  expect(redactor.redact(`${wallet.address} ${wallet.publicKeyHex}`)).toBe(`${wallet.address} ${wallet.publicKeyHex}`);
});

it('a text made to take long is not searched to its end, and not shown', () => {
  const redactor = new Redactor();
  redactor.learn({ api_key: `${'ab'.repeat(2_000)}!`, secret: `${'ba'.repeat(2_000)}?` });
  expect(redactor.redact('ab'.repeat(100_000))).toBe('[a text that cannot be searched for secrets]');
});

it('thousands of secrets are looked for at once, and found', () => {
  const redactor = new Redactor({}, { others: true });
  const secrets = Array.from({ length: 1_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'));
  for (const secret of secrets) redactor.learn({ secret });
  const text = secrets.map((secret) => `{"echo":"${secret}"}`).join('');
  const shown = redactor.redact(text);
  expect(shown.match(/\[OTHER_AGENT_SECRET_\d+\]/g)).toHaveLength(1_000);
});
