import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as ed25519 from '@noble/ed25519';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, base64, base64urlnopad } from '@scure/base';
import { describe, expect, it } from 'vitest';

// The version 3 of @noble/ed25519 brings no SHA-512 of its own for its synchronous calls.
ed25519.hashes.sha512 = sha512;

function casesOf<Case extends { name: string }>(file: string): Case[] {
  return (JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8')) as { cases: Case[] }).cases;
}

/** Canonical JSON of a flat object: keys sorted, no spaces. */
function canonical(flat: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Holds the key pair, the signature against the text, and that another text is refused. */
function expectSignature(seedHex: string, publicHex: string, text: string, signature: Uint8Array): void {
  const publicKey = hexToBytes(publicHex);
  expect(bytesToHex(ed25519.getPublicKey(hexToBytes(seedHex)))).toBe(publicHex);
  expect(bytesToHex(signature)).toBe(bytesToHex(ed25519.sign(utf8ToBytes(text), hexToBytes(seedHex))));
  expect(ed25519.verify(signature, utf8ToBytes(text), publicKey)).toBe(true);
  expect(ed25519.verify(signature, utf8ToBytes(`${text} `), publicKey)).toBe(false);
}

function hmacHex(key: string, text: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text)));
}

interface SignedJson {
  name: string;
  seed_hex: string;
  public_key_hex: string;
  canonical: string;
  signature_base64: string;
}

describe('anchors (D-05) and receipts (D-09)', () => {
  it.each(casesOf<SignedJson & { anchor: object }>('anchors'))('anchor, $name', (one) => {
    expect(one.canonical).toBe(canonical(one.anchor));
    expectSignature(one.seed_hex, one.public_key_hex, one.canonical, base64.decode(one.signature_base64));
  });

  it.each(
    casesOf<SignedJson & { payload: { signature: string }; payload_json: string; string_form: string }>('receipts'),
  )('receipt, $name', (one) => {
    const { signature, ...unsigned } = one.payload;
    expect(Object.keys(unsigned).join()).toBe(
      'type,beats_verified,difficulty,anchor_index,anchor_hash,from_hash,to_hash,utc',
    );
    expect(one.canonical).toBe(canonical(unsigned));
    expect(signature).toBe(one.signature_base64);
    expectSignature(one.seed_hex, one.public_key_hex, one.canonical, base64.decode(signature));
    expect(one.payload_json).toBe(JSON.stringify(one.payload));
    expect(one.string_form).toBe(base64urlnopad.encode(utf8ToBytes(one.payload_json)));
  });
});

interface PassportCase {
  name: string;
  seed_hex: string;
  public_key_hex: string;
  authority_key_id: string;
  fields: Record<string, string | number | null>;
  canonical: string;
  sha256: string;
  signature_hex: string;
}

describe('passports (D-11)', () => {
  const cases = casesOf<PassportCase>('passports');

  it.each(cases)('$name', (one) => {
    // 2.6 lists the fields, D-11 fixes their order.
    expect(Object.keys(one.fields)).toEqual([
      'format_version',
      'agent_hash',
      'agent_public_key',
      'authority_key_id',
      'identity_class',
      'registered_at_beat',
      'sigil_issued_at_beat',
      'last_heartbeat_beat',
      'lineage_chain_hash',
      'issued_at',
      'valid_until',
    ]);
    expect(one.canonical).toBe(JSON.stringify(one.fields));
    expect(one.sha256).toBe(bytesToHex(sha256(utf8ToBytes(one.canonical))));
    expect(one.seed_hex).toBe('0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20');
    expect(one.authority_key_id).toBe(`pvn-ed25519-${one.public_key_hex.slice(0, 16)}`);
    expect(one.fields['authority_key_id']).toBe(one.authority_key_id);
    expect(Number(one.fields['valid_until']) - Number(one.fields['issued_at'])).toBe(24 * 60 * 60 * 1000);
    expectSignature(one.seed_hex, one.public_key_hex, one.canonical, hexToBytes(one.signature_hex));
  });

  it('cover every field that may be null', () => {
    for (const field of ['agent_public_key', 'identity_class', 'sigil_issued_at_beat']) {
      expect(cases.filter((one) => one.fields[field] === null).length, field).toBeGreaterThan(0);
    }
  });
});

interface MessageCase {
  name: string;
  dialect: string;
  flow: string;
  nonce: string;
  address: string;
  subject: string;
  text: string;
  text_utf8_hex: string;
  algorithm: 'ed25519' | 'eip191-secp256k1';
  secret_key_hex: string;
  public_key_hex: string;
  checksum_address?: string;
  digest_hex?: string;
  signature: string;
}

const flows = ['register', 'register-operator', 'register-ethereum', 'link-wallet', 'link-wallet-operator'];

describe('signed messages (D-01, 4.2, 4.12)', () => {
  const cases = casesOf<MessageCase>('messages');
  const byEd25519 = cases.filter((one) => one.algorithm === 'ed25519');
  const byEthereum = cases.filter((one) => one.algorithm === 'eip191-secp256k1');

  it('cover every flow in both dialects, and names outside ASCII under both kinds of key', () => {
    const seen = cases.map((one) => `${one.dialect} ${one.flow}`);
    for (const flow of flows) expect(seen).toEqual(expect.arrayContaining([`service ${flow}`, `provenonce ${flow}`]));
    for (const some of [byEd25519, byEthereum]) {
      expect(some.some((one) => one.text_utf8_hex.length > one.text.length * 2)).toBe(true);
    }
  });

  it.each(cases)('$name: text', (one) => {
    expect(one.text).toBe(`${one.dialect}-${one.flow}:${one.nonce}:${one.address}:${one.subject}`);
    expect(one.text_utf8_hex).toBe(bytesToHex(utf8ToBytes(one.text)));
  });

  it.each(byEd25519)('$name: signature', (one) => {
    const operator = one.flow.endsWith('-operator');
    const address = operator ? base58.encode(hexToBytes(one.public_key_hex)) : one.public_key_hex;
    expect(one.address).toBe(address);
    expectSignature(one.secret_key_hex, one.public_key_hex, one.text, hexToBytes(one.signature));
  });

  it.each(byEthereum)('$name: key, address, digest and form of the signature', (one) => {
    const pair = createECDH('secp256k1');
    pair.setPrivateKey(one.secret_key_hex, 'hex');
    expect(pair.getPublicKey('hex')).toBe(`04${one.public_key_hex}`);

    const plain = bytesToHex(keccak_256(hexToBytes(one.public_key_hex)).slice(12));
    const nibbles = bytesToHex(keccak_256(utf8ToBytes(plain)));
    const checksum = [...plain].map((c, at) => (Number.parseInt(nibbles.charAt(at), 16) > 7 ? c.toUpperCase() : c));
    expect(one.checksum_address).toBe(`0x${checksum.join('')}`);
    expect(one.address.toLowerCase()).toBe(`0x${plain}`);

    const bytes = utf8ToBytes(one.text);
    const prefix = utf8ToBytes(`\u0019Ethereum Signed Message:\n${bytes.length}`);
    expect(one.digest_hex).toBe(bytesToHex(keccak_256(Uint8Array.of(...prefix, ...bytes))));

    // Whether it recovers to the address is for a test with a secp256k1 library; make.py has recovered it by its own.
    expect(one.signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
    const half = BigInt('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');
    expect(BigInt(`0x${one.signature.slice(66, 130)}`) <= half).toBe(true);
  });
});

describe('keyed hashes and names', () => {
  interface WebhookCase {
    name: string;
    webhook_secret: string;
    body: string;
    header_value: string;
  }
  it.each(casesOf<WebhookCase>('webhook-signatures'))('webhook (6, rule 2): $name', (one) => {
    expect(one.webhook_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(one.header_value).toBe(`sha256=${hmacHex(one.webhook_secret, one.body)}`);
  });

  interface KeyCase {
    name: string;
    server_secret: string;
    payload: { h: string; k: string; iat: number };
    payload_base64url: string;
    signature_hex: string;
    api_key: string;
  }
  it.each(casesOf<KeyCase>('api-keys'))('agent key (D-15): $name', (one) => {
    const { h, k, iat } = one.payload;
    expect(one.payload_base64url).toBe(base64urlnopad.encode(utf8ToBytes(JSON.stringify({ h, k, iat }))));
    expect(one.signature_hex).toBe(hmacHex(one.server_secret, one.payload_base64url));
    expect(one.api_key).toBe(`pvn_${one.payload_base64url}.${one.signature_hex}`);
  });

  interface SigilCase {
    name: string;
    sigil_name: string;
    principal: string;
    tier: string;
    valid: boolean;
    sigil: string | null;
  }
  it.each(casesOf<SigilCase>('sigil-names'))('SIGIL (2.7, D-17): $name', ({ sigil_name, principal, tier, ...one }) => {
    const nameFits = /^[a-z0-9][a-z0-9-]{0,47}$/.test(sigil_name);
    const principalFits = /^[a-z0-9][a-z0-9-]{0,23}$/.test(principal);
    expect(one.valid).toBe(nameFits && principalFits && ['sov', 'org', 'ind', 'eph', 'sbx'].includes(tier));
    expect(one.sigil).toBe(one.valid ? `${sigil_name}*${principal}*${tier}` : null);
  });
});
