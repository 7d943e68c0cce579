import { describe, expect, it } from 'vitest';
import * as vocabulary from './vocabulary.js';

/** The words of each list, in the order of the clause that gives them. */
const lists: readonly (readonly [clause: string, name: keyof typeof vocabulary, words: string])[] = [
  ['2.7', 'identityClasses', 'narrow_task autonomous orchestrator'],
  ['2.7', 'sigilTiers', 'sov org ind eph sbx'],
  [
    '2.6',
    'passportFields',
    'format_version agent_hash agent_public_key authority_key_id identity_class registered_at_beat ' +
      'sigil_issued_at_beat last_heartbeat_beat lineage_chain_hash issued_at valid_until',
  ],
  ['2.11', 'feeTypes', 'sigil heartbeat reissuance'],
  ['2.1', 'walletChains', 'solana ethereum'],
  ['2.1', 'walletModels', 'self-custody operator'],
  ['D-22', 'feeShares', 'operations contributors development treasury referral'],
  ['6', 'partnerEvents', 'sigil.purchased heartbeat.recorded agent.frozen agent.unfrozen'],
  ['2.8', 'substrates', 'frontier open local symbolic hybrid human'],
  ['2.8', 'capabilities', 'analyst executor orchestrator guardian retriever renderer witness'],
  ['2.8', 'protocols', 'http grpc websocket mcp a2a custom'],
  ['2.8', 'complianceRegimes', 'gdpr pdpa hipaa sox aisi none custom'],
  ['D-16', 'agentTypes', 'root agent'],
  ['D-19', 'standings', 'registered active warning frozen refused'],
  ['D-30', 'sponsorshipStatuses', 'active revoked expired'],
  [
    'D-08',
    'workProofRefusals',
    'insufficient_difficulty insufficient_spot_checks count_mismatch stale_anchor spot_check_failed',
  ],
  ['D-10', 'beatVerifyModes', 'beat chain proof'],
];

const found = new Map<string, readonly string[]>(Object.entries(vocabulary));

describe('vocabulary', () => {
  it.each(lists)('%s gives the words of %s', (_, name, words) => {
    expect(found.get(name)).toEqual(words.split(' '));
  });

  it('has no list but these', () => {
    expect(lists.map(([, name]) => name).sort()).toEqual([...found.keys()].sort());
  });
});
