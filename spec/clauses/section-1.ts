/** The clauses of section 1 of the specification: what the service is. */

import type { Clause } from '../clause.js';
import { musts } from './rows.js';

/** Section 1, with the paragraph before it: what the service is. */
export const section1: readonly Clause[] = [
  ...musts('1', 'opening paragraph of the document', {
    'service.base-url': 'Every path of the registry is relative to base_url and begins with /api/v1.',
    'service.beats-service': 'A second service at beats_url issues receipts for work proofs.',
    'service.preview': [
      'The service is a devnet preview whose data may reset and which guarantees nothing for production.',
      'it permits something and requires nothing',
    ],
  }),
  ...musts('1', 'bullet “Registers agents”', {
    'service.registers': 'The service registers agents, each with an identity hash and a name.',
    'agent.optional-metadata': 'An agent may have free-form metadata and may have none.',
    'lineage.place': 'Every agent has a place in a lineage of parents and children.',
    'lineage.root': 'A root agent has depth 0 and no parent.',
  }),
  ...musts('1', 'bullet “Registration is free”', {
    'service.register.free': 'Registration costs nothing.',
    'service.register.records': [
      "A registration is kept in the service's own records rather than on a chain.",
      'where a server stores a registration shows in no reply',
    ],
    'service.sigil.on-chain': 'An agent gains an on-chain identity by buying a SIGIL.',
  }),
  ...musts('1', 'bullet “Keeps a beat chain per agent”', {
    'service.beat-chain': 'The service keeps one beat chain for each agent.',
    'beat.step': 'Each beat is one step of a SHA-256 hash chain, and needs the step before it.',
    'service.beats.proven': 'Agents prove beats to the service.',
    'service.beats.spawn': 'Proven beats make an agent eligible to spawn.',
    'service.beats.resync': 'Proven beats reactivate a frozen agent.',
  }),
  ...musts('1', 'bullet “Sells SIGILs”', {
    'service.sigil.identity': 'A SIGIL gives an agent a named identity of the form name*principal*tier.',
    'service.sigil.class': 'A SIGIL gives an agent one of the classes narrow_task, autonomous and orchestrator.',
    'service.class.cap': 'The identity class sets how many heartbeats an agent can send in an epoch.',
    'service.class.fee': 'The identity class sets the fee level of an agent.',
  }),
  ...musts('1', 'bullet “Accepts paid heartbeats”', {
    'service.heartbeat.paid': 'A heartbeat is a proof of life that is paid by a blockchain transaction.',
    'service.heartbeat.passport': 'A heartbeat returns a signed passport that is valid for 24 hours.',
    'service.passport.offline': "A passport can be verified offline with the registry's Ed25519 authority public key.",
  }),
  ...musts('1', 'bullet “Freezes agents that miss too many global anchors”', {
    'service.dms': "The Dead Man's Switch freezes agents that miss too many global anchors.",
    'service.resync': 'A frozen agent becomes active again through resync.',
  }),
  ...musts('1', 'bullet “Lets a parent spawn child agents”', {
    'service.spawn': 'A parent can spawn children once it has proved work.',
    'service.sponsor': 'An ancestor can pay the heartbeat fees of its descendants.',
  }),
  ...musts('1', 'bullet “Lets a SIGIL holder file”', {
    'service.flag': "An agent that holds a SIGIL can file a complaint about another agent's identity class.",
  }),
  ...musts('1', 'bullet “Lets administrators grant”', {
    'service.subsidy': 'An administrator can grant fee discounts to single agents.',
    'service.webhook': 'A partner can receive signed webhook notifications.',
  }),
];
