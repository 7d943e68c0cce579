/**
 * The facts in which a deployment differs from the specification or from its decisions (D-57), as one table: the setting or number of a dialect
 * that says so, the clauses by which it is judged, and those that it replaces. The meaning of a setting is in dialect-settings.ts, the dialects
 * that have it are in dialect.ts.
 */

import { type ClauseRows, says } from './clauses/rows.js';
import type { DialectSettings } from './dialect-settings.js';
import { deepFreeze } from './freeze.js';

/** One fact of a dialect. */
export interface DialectFact {
  /** The setting that says it. */
  readonly setting: keyof DialectSettings;
  /** Of the setting `numbers`: the path of the number. */
  readonly number?: string;
  /** The section of the specification that it is about. */
  readonly section: string;
  /** The clauses by which it is judged where it holds: decisions of D-57. */
  readonly clauses: ClauseRows;
  /** Clauses of the specification and of its decisions that are not judged if the fact applies. */
  readonly replaces: readonly string[];
  /**
   * The clause of the fact that takes what checks see of a replaced one: they ask by the numbers and settings of the dialect, so
   * their evidence is about the fact.
   */
  readonly judgedAs?: Readonly<Record<string, string>>;
}

const rows: readonly DialectFact[] = [
  {
    setting: 'workProofReply',
    section: '4.8',
    clauses: {
      'dialect.work-proof.reply':
        'A work proof is answered with {valid: true, receipt} or {valid: false, reason}, with 200 and without ok.',
    },
    replaces: ['work-proof.reply', 'work-proof.refused'],
  },
  {
    setting: 'workProofChecks',
    section: '2.5',
    clauses: {
      'dialect.work-proof.checks':
        'Of a work proof each shown beat is recomputed, and their span held against beats_computed; to_hash, from_hash, beats shown twice, neighbours that do not link, and whether the last beat is shown are not checked.',
      'dialect.work-proof.anchor':
        'The anchor of a work proof is asked by its index alone: its beats may weave another hash, or none, and then anchor_hash is absent and that of the receipt null.',
    },
    replaces: [
      'work-proof.field.from-hash',
      'work-proof.field.to-hash',
      'work-proof.field.anchor-hash',
      'work-proof.end',
      'proof.spot-checks.first',
      'proof.spot-checks.neighbours',
    ],
  },
  {
    setting: 'proofShape',
    section: '2.5',
    clauses: {
      'dialect.work-proof.shape': says(
        'A work proof with more than 25 spot checks, with none, or of 0 beats gets 400.',
        { status: 400 },
      ),
    },
    replaces: ['proof.spot-checks.max'],
  },
  {
    setting: 'difficulty',
    section: '4.8',
    clauses: {
      'dialect.difficulty.work-proof':
        'A work proof of a difficulty above 5,000 is taken for one of 5,000, and the receipt says so.',
      'dialect.difficulty.beat-verify':
        'beat/verify takes a difficulty above 5,000 for 5,000, and one below 100 for 100.',
    },
    replaces: ['work-proof.difficulty.max'],
  },
  {
    setting: 'beatVerify',
    section: '4.1',
    clauses: {
      'dialect.beat-verify.chain':
        'beat/verify with mode chain recomputes the first and the last beat of a chain of at most 1000 beats, and some between.',
      'dialect.beat-verify.proof': 'beat/verify with mode proof asks for no fresh anchor.',
    },
    replaces: ['beat-verify.mode.chain', 'beat-verify.mode.proof'],
    judgedAs: {
      'beat-verify.mode.chain': 'dialect.beat-verify.chain',
      'beat-verify.mode.proof': 'dialect.beat-verify.proof',
    },
  },
  {
    setting: 'anchorDifficulty',
    section: '4.1',
    clauses: {
      'dialect.anchor.difficulty':
        'difficulty of anchors changes with each 100th: it follows their pace, at most four times either way, within 100 to 1,000,000.',
    },
    replaces: ['anchor.difficulty'],
  },
  {
    setting: 'memos',
    section: '4.1',
    clauses: {
      'dialect.anchor.on-chain': 'An anchor is a memo on the ledger: tx_signature is set, and anchored is true.',
    },
    replaces: [],
  },
  {
    setting: 'timestamps',
    section: '4.8',
    clauses: {
      'dialect.timestamp.day': 'An IP gets 10 timestamps a day.',
      'dialect.timestamp.body': says('The body of a timestamp has at most 256 bytes, and more gets 413.', {
        status: 413,
      }),
      'dialect.timestamp.reply': 'A timestamp is answered with its tier, and the hash in lower case.',
    },
    replaces: [],
  },
  {
    setting: 'signingContexts',
    section: '4.8',
    clauses: {
      'dialect.beat-key.signing-context':
        'signing_context of the keys is provenonce:beats:timestamp-receipt:v1 and provenonce:beats:work-proof:v1.',
    },
    replaces: [],
  },
  {
    setting: 'workProofInfo',
    section: '4.8',
    clauses: {
      'dialect.work-proof.info':
        'GET work-proof tells public_caps: min_difficulty, max_difficulty, min_spot_checks, max_spot_checks and anchor_grace_window.',
    },
    replaces: [],
  },
  {
    setting: 'health',
    section: '4.8',
    clauses: {
      'dialect.health.status':
        'status of a health reply is ok, or degraded while the latest anchor is older than 3 intervals.',
    },
    replaces: [],
  },
  {
    setting: 'forwardedFor',
    section: '8',
    clauses: {
      'dialect.client-ip.last': 'The client IP is the last entry of X-Forwarded-For.',
    },
    replaces: ['limit.client-ip.forwarded'],
  },
  {
    setting: 'heartbeatTiers',
    section: '4.1',
    clauses: {
      'dialect.fees-summary.heartbeat-tiers':
        'heartbeat_tiers of a fees summary have {from, to, sol, lamports}, and to of the last is null.',
    },
    replaces: ['fees-summary.reply.schedule'],
  },
  {
    setting: 'authorityKeyPath',
    section: '4.1',
    clauses: {
      'dialect.authority-key.path':
        'The authority key is also at /.well-known/provenonce-authority.json, as authority_public_key in hex.',
    },
    replaces: [],
  },
  {
    setting: 'credential',
    section: '4.1',
    clauses: {
      'dialect.credential.parties':
        'A credential is issued by https://provenonce.io, for the subject provenonce:agent:<hash>.',
    },
    replaces: [],
  },
  {
    setting: 'sigilFields',
    section: '4.6',
    clauses: {
      'dialect.sigil.fields': 'A SIGIL purchase takes the mutable fields of 2.8 too.',
    },
    replaces: [],
  },
  {
    setting: 'nameCharacters',
    section: '2.1',
    clauses: {
      'dialect.name.characters':
        'A name loses every character outside [a-zA-Z0-9_\\-. ], before its signature is checked.',
    },
    replaces: ['name.text'],
  },
  {
    setting: 'numbers',
    number: 'agent.depthMax',
    section: '2.1',
    clauses: {
      'dialect.agent.depth': 'An agent stands at depth 10 at most.',
    },
    replaces: ['lineage.depth-unlimited'],
  },
  {
    setting: 'numbers',
    number: 'sigil.nameCharsMax',
    section: '4.6',
    clauses: {
      'dialect.sigil.name': 'A custom SIGIL name matches ^[a-z0-9][a-z0-9-]{0,62}$.',
    },
    replaces: ['name.sigil.custom'],
    judgedAs: { 'name.sigil.custom': 'dialect.sigil.name' },
  },
  {
    setting: 'numbers',
    number: 'anchor.graceAnchors',
    section: '2.4',
    clauses: {
      'dialect.proof.grace': 'A proof may weave any of the latest 6 anchors, of age 0 to 5, and no older one.',
    },
    replaces: ['proof.anchor.grace'],
    judgedAs: { 'proof.anchor.grace': 'dialect.proof.grace' },
  },
  {
    setting: 'numbers',
    number: 'limits.register',
    section: '8',
    clauses: {
      'dialect.limit.register': 'Registrations without a wallet and of children are limited to 5 an hour per IP.',
    },
    replaces: ['limit.register'],
    judgedAs: { 'limit.register': 'dialect.limit.register' },
  },
  {
    setting: 'numbers',
    number: 'limits.registerWalletFlow',
    section: '8',
    clauses: {
      'dialect.limit.register.wallet-flow': 'Calls of the wallet registration flow are limited to 10 an hour per IP.',
    },
    replaces: ['limit.register.wallet-flow'],
    judgedAs: { 'limit.register.wallet-flow': 'dialect.limit.register.wallet-flow' },
  },
  {
    setting: 'lineage',
    section: '2.6',
    clauses: {
      'dialect.lineage.chain':
        'lineage_chain_hash is 0x and SHA-256 of the hashes of all events, joined by colons; that of an event is 0x and SHA-256 of agent:type:beat:prev.',
    },
    replaces: ['lineage.hash.fold'],
  },
  {
    setting: 'spawnCost',
    section: '4.8',
    clauses: {
      'dialect.spawn.cost':
        'The cost of a child is computed in doubles: with 3 siblings 1,727 beats at depth 0, then 2,591, 3,887 and 5,831.',
    },
    replaces: ['spawn.cost.exact', 'spawn.cost.exact.0-3', 'spawn.cost.check.2-3'],
  },
  {
    setting: 'clientCalls',
    section: '4.1',
    clauses: {
      'dialect.client-calls':
        'GET and POST /skill/bootstrap, GET /agent/lineage/:hash, POST /agent/heartbeat/batch and POST /sigil/check are served.',
    },
    replaces: [],
  },
];

/** Every fact that a dialect may have. Deeply frozen. */
export const dialectFacts: readonly DialectFact[] = deepFreeze(rows);

/** Whether a fact holds in a dialect. */
export function holdsIn({ setting, number }: DialectFact, dialect: DialectSettings): boolean {
  if (number === undefined) return dialect[setting] !== undefined;
  const value = number
    .split('.')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], dialect.numbers);
  return value !== undefined;
}
