/** The kinds of agents whose lives checks lead (life.ts): the clauses that the life of one shows, and what it costs. */
import type { SigilTier } from '../../spec/vocabulary.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { KEPT } from './kept.js';
import { FAULTS, FAULTS_OF } from './life-faults.js';
import { OF_OTHERS } from './life-others.js';
import { heartbeatFee } from './paid.js';

/** The kind of an agent. */
export interface Kind {
  readonly identityClass: string;
  readonly tier: SigilTier;
  /** 0 for a root. */
  readonly depth: number;
  /** The form in which it comes back. */
  readonly back: 'receipt' | 'prove';
  /** Whether it links its wallet after it was registered. */
  readonly links: boolean;
  /** Whether an ancestor pays for it in the end. */
  readonly sponsored: boolean;
  /** Whether a complaint of it is sustained; of the others it is dismissed. */
  readonly accused: boolean;
}

/** The clauses that every life shows. */
const EVERY: readonly string[] = [
  ...FAULTS,
  ...KEPT,
  ...OF_OTHERS,
  'sigil.transition.issued',
  'passport.field.sigil-issued-at-beat',
  'sigil.transition.again',
  'sigil.error.sigil-already-exists',
  'heartbeat.interval.min',
  'heartbeat.error.heartbeat-too-soon',
  'heartbeat.sender.own',
  'heartbeat.reply.total-heartbeats',
  'metadata.body',
  'spawn.error.receipt-required',
  'sponsor.transition.create',
  'sponsor.transition.revoke',
  'sponsor.transition.frozen.parent',
  'sponsor.rule.not-frozen',
  'sponsor.error.sponsor-parent-frozen',
  'heartbeat.sender.charged',
  'reissue-proof.reprint',
  'resync.error.agent-wrong-state',
  'resync.transition.active',
  'dms.freeze',
  'dms.freeze.heartbeats',
];

/** The clauses of a check that leads the life of an agent of a kind. */
export const clausesOf = ({ depth, tier, back, links, sponsored, accused }: Kind): readonly string[] => {
  const all = [
    ...EVERY,
    ...(links ? FAULTS_OF.links : []),
    ...(depth === 0 ? FAULTS_OF.root : []),
    ...(tier === 'sbx' ? [] : FAULTS_OF.reporter),
    ...(back === 'prove' ? FAULTS_OF.prove : []),
    ...(sponsored ? ['heartbeat.sender.sponsor'] : []),
    ...(accused ? ['flag.transition.sustained'] : []),
  ];
  return [...new Set(all)];
};

/** The fees of a life, in lamports: refused payments cost money, too. */
export const feesOfLife =
  (identityClass: string) =>
  (protocol: Trial['protocol']): number =>
    3 * sigilFeeLamports(protocol, identityClass) +
    2 * sigilFeeLamports(protocol, 'narrow_task') +
    4 * protocol.reissue.feeLamports +
    16 * heartbeatFee(protocol, 1).lamports;
