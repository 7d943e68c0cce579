import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { golden } from '../../test/fixtures/golden.js';
import { Life, type Lived, lifeSteps } from '../../test/fixtures/life.js';
import {
  codeOf,
  GENESIS_MS,
  nowMsOf,
  passAnchors,
  paymentOf,
  putAgent,
  testAgent,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { signingKey, verifyEd25519 } from '../beats/signing.js';
import { heartbeat } from './heartbeat.js';
import { lineageChainHash } from './lineage.js';
import {
  hasLineageProof,
  type PassportFields,
  passport,
  passportFields,
  passportText,
  signPassport,
} from './passport.js';
import { hashOf, type Registry } from './state.js';

// Version 3 of @noble/ed25519 brings no SHA-512 for its synchronous calls.
ed25519.hashes.sha512 = sha512;

interface PassportCase {
  readonly name: string;
  readonly seed_hex: string;
  readonly fields: PassportFields;
  readonly canonical: string;
  readonly signature_hex: string;
}

/** D-11: the signed fields in their order. */
const ORDER = [
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
];

let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry();
  passAnchors(registry, 2);
  agent = testAgent(registry, { sigil: 'autonomous' });
});

describe('the signed text (D-11)', () => {
  it.each(golden<PassportCase>('passports'))('golden: $name', (entry) => {
    expect(passportText(entry.fields)).toBe(entry.canonical);
    expect(signingKey(Buffer.from(entry.seed_hex, 'hex')).signHex(passportText(entry.fields))).toBe(
      entry.signature_hex,
    );
  });

  it('of an agent has the fields in this order', () => {
    const fields = passportFields(registry, agent, 'pvn-ed25519-0123456789abcdef', nowMsOf(registry));
    expect(Object.keys(JSON.parse(passportText(fields)) as object)).toEqual(ORDER);
  });
});

describe('the fields (2.6)', () => {
  const fields = (): PassportFields => passportFields(registry, agent, 'key', nowMsOf(registry));

  it('of a root with a SIGIL that has not sent a heartbeat', () => {
    expect(fields()).toEqual({
      format_version: 1,
      agent_hash: hashOf(registry, agent),
      agent_public_key: 'wallet-0',
      authority_key_id: 'key',
      identity_class: 'autonomous',
      registered_at_beat: 2,
      sigil_issued_at_beat: 2,
      last_heartbeat_beat: 0,
      lineage_chain_hash: lineageChainHash(registry, agent),
      issued_at: GENESIS_MS + 120_000,
      valid_until: GENESIS_MS + 120_000 + 86_400_000,
    });
  });

  it('name the beat of the last heartbeat', () => {
    passAnchors(registry, 5);
    heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, null) }, nowMsOf(registry));
    passAnchors(registry, 3);
    expect(fields()).toMatchObject({ last_heartbeat_beat: 7, registered_at_beat: 2 });
  });

  it('are null where a child has neither wallet nor SIGIL', () => {
    agent = testAgent(registry, { wallet: false, sigil: null });
    expect(fields()).toMatchObject({ agent_public_key: null, identity_class: null, sigil_issued_at_beat: null });
  });
});

describe('a signed passport', () => {
  const key = signingKey(Buffer.alloc(32, 9));
  const authority = { keyId: 'pvn-ed25519-x', publicKeyHex: key.publicKeyHex, signHex: key.signHex };

  it.each([
    ['service', 'service_signature'],
    ['provenonce', 'provenonce_signature'],
  ] as const)('in the dialect %s has its signature under %s, over all the rest', (dialect, field) => {
    const made = testRegistry({ dialect: dialects[dialect] });
    const row = testAgent(made);
    const { [field]: signature, ...signed } = signPassport(made, row, authority, nowMsOf(made));
    expect(Object.keys(signed)).toEqual(ORDER);
    expect(verifyEd25519(key.publicKeyHex, JSON.stringify(signed), signature as string)).toBe(true);
    expect(verifyEd25519(key.publicKeyHex, JSON.stringify({ ...signed, valid_until: 0 }), signature as string)).toBe(
      false,
    );
  });
});

describe('who may have one for nothing (D-12)', () => {
  it.each([
    ['a root with a SIGIL', { identityClass: 1 }, 'accepted'],
    ['a root without', { identityClass: 0 }, 'passport/SIGIL_REQUIRED'],
    ['a child without', { identityClass: 0, depth: 1 }, 'accepted'],
    ['a child with', { identityClass: 3, depth: 2 }, 'accepted'],
    ['a frozen root with a SIGIL (D-49)', { status: 2 }, 'accepted'],
  ])('%s', (_who, values, outcome) => {
    putAgent(registry, agent, values);
    expect(codeOf(passport(registry, { agent }))).toBe(outcome);
  });
});

describe('lineage_proof (9, rule 4)', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', true],
    ['2026-09-01T23:59:59.999Z', true],
    ['2026-09-02T00:00:00.000Z', false],
  ])('at %s stands: %s', (time, stands) => {
    expect(hasLineageProof(registry, Date.parse(time))).toBe(stands);
  });
});

describe('passports of random lives (D-11)', () => {
  /** D-11 written out: the signed text, from the life of the agent and its lineage on the wire. */
  function signedText({ keyId, nowMs, lineage }: Record<'keyId' | 'lineage', string> & { nowMs: number }, one: Lived) {
    const text = (value: string | null): string => (value === null ? 'null' : `"${value}"`);
    return [
      `{"format_version":1,"agent_hash":"${one.hash}","agent_public_key":${text(one.address)}`,
      `"authority_key_id":"${keyId}","identity_class":${text(one.identityClass)}`,
      `"registered_at_beat":${one.registeredAtBeat},"sigil_issued_at_beat":${one.sigilAtBeat}`,
      `"last_heartbeat_beat":${one.lastHeartbeatBeat},"lineage_chain_hash":"${lineage}"`,
      `"issued_at":${nowMs},"valid_until":${nowMs + 86_400_000}}`,
    ].join(',');
  }
  const verifies = (signature: unknown, text: string, publicKeyHex: string): boolean =>
    ed25519.verify(hexToBytes(String(signature)), utf8ToBytes(text), hexToBytes(publicKeyHex));

  it('[passport.bytes] [passport.signed] [passport.key-id] [passport.validity] verify under another library over bytes that the test wrote, at every step, and under no other bytes', () => {
    const seen = new Set<unknown>();
    const property = fc.property(
      lifeSteps,
      fc.constantFrom('service' as const, 'provenonce' as const),
      (steps, name) => {
        const dialect = dialects[name];
        const life = new Life({ dialect });
        const { authority, registry: home } = life.service;
        expect(authority.keyId).toBe(`pvn-ed25519-${authority.publicKeyHex.slice(0, 16)}`);
        for (const step of steps) {
          const { agent: row, accepted } = life.take(step);
          const one = life.agents[row];
          if (one === undefined || !accepted) continue;
          const issued = signPassport(home, row, authority, life.nowMs);
          const lineage = issued.lineage_chain_hash;
          const text = signedText({ keyId: authority.keyId, lineage, nowMs: life.nowMs }, one);
          const { [`${name}_signature`]: signature, ...fields } = issued;
          expect(JSON.parse(text)).toEqual(fields);
          expect(verifies(signature, text, authority.publicKeyHex)).toBe(true);
          const later = signedText({ keyId: authority.keyId, lineage, nowMs: life.nowMs + 1 }, one);
          expect(verifies(signature, later, authority.publicKeyHex)).toBe(false);
          seen
            .add(one.identityClass)
            .add(one.address === null ? 'no wallet' : one.address.slice(0, 2) === '0x' ? '0x' : '58');
          seen.add(one.parent < 0 ? 'root' : 'child').add(one.lastHeartbeatBeat > 0 ? 'beat' : 'no beat');
        }
      },
    );
    fc.assert(property, { seed: 11, numRuns: 25 });
    const kinds = [null, 'narrow_task', 'autonomous', 'orchestrator', 'no wallet', '0x', '58', 'root', 'child', 'beat'];
    for (const kind of [...kinds, 'no beat']) expect(seen).toContain(kind);
  });

  it('is broken by a change of any one field', () => {
    const { service } = new Life({ dialect: dialects.service });
    const row = testAgent(service.registry, { sigil: 'orchestrator' });
    const { service_signature: signature, ...fields } = signPassport(
      service.registry,
      row,
      service.authority,
      GENESIS_MS,
    );
    const key = service.authority.publicKeyHex;
    expect(verifies(signature, JSON.stringify(fields), key)).toBe(true);
    for (const [name, value] of Object.entries(fields)) {
      const other = typeof value === 'number' ? value + 1 : `${value}0`;
      expect([name, verifies(signature, JSON.stringify({ ...fields, [name]: other }), key)]).toEqual([name, false]);
    }
  });
});
