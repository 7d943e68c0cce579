import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { golden } from '../../test/fixtures/golden.js';
import { Life, type LivedAgent, lifeSteps } from '../../test/fixtures/life.js';
import { signingKey } from '../beats/signing.js';
import { type PassportFields, passportText, signPassport } from './passport.js';

// Version 3 of @noble/ed25519 brings no SHA-512 for its synchronous calls.
ed25519.hashes.sha512 = sha512;

interface PassportCase {
  readonly name: string;
  readonly seed_hex: string;
  readonly fields: PassportFields;
  readonly canonical: string;
  readonly signature_hex: string;
}

describe('the signed text (D-11)', () => {
  it.each(golden<PassportCase>('passports'))('golden: $name', (entry) => {
    expect(passportText(entry.fields)).toBe(entry.canonical);
    expect(signingKey(Buffer.from(entry.seed_hex, 'hex')).signHex(passportText(entry.fields))).toBe(
      entry.signature_hex,
    );
  });
});

describe('passports of random lives (D-11)', () => {
  /** D-11 written out: the signed text, from the life of the agent and its lineage on the wire. */
  function signedText(
    { keyId, nowMs, lineage }: Record<'keyId' | 'lineage', string> & { nowMs: number },
    one: LivedAgent,
  ) {
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
});
