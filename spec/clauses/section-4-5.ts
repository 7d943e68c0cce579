/** The clauses of sections 4.5 to 4.7: heartbeat, SIGIL, reissue. */

import type { Clause } from '../clause.js';
import { isA, musts, says } from './rows.js';

const heartbeat = [
  ...musts('4.5', 'paragraph “Requires an active SIGIL”', {
    'heartbeat.sigil.root': 'A root agent, depth 0, needs an active SIGIL for a heartbeat.',
    'heartbeat.sigil.child': 'A child agent, depth above 0, needs no SIGIL for a heartbeat.',
  }),
  ...musts('4.5', 'paragraph “Body: payment_tx”', {
    'heartbeat.body.payment-tx': 'A heartbeat needs payment_tx, a string: the signature of the fee transaction.',
    'heartbeat.body.global-anchor': 'A heartbeat may carry global_anchor, a number.',
    'heartbeat.body.global-anchor.validated': 'The server validates a global_anchor that is sent.',
    'heartbeat.body.global-anchor.own-value':
      'The server works with its own anchor index, whatever global_anchor says.',
  }),
  ...musts('4.5', 'paragraph “Response: ok, agent_hash”', {
    'heartbeat.reply':
      'A heartbeat reply holds ok, agent_hash, passport, lineage_proof, total_heartbeats, heartbeat_count_epoch, billing_epoch, current_beat and fee.',
    'heartbeat.reply.passport': 'passport of a heartbeat reply is a passport of 2.6.',
    'heartbeat.reply.lineage-proof':
      'lineage_proof of a heartbeat reply is the deprecated alias of passport, whose sunset is 2026-09-01.',
    'heartbeat.reply.total-heartbeats': isA('total_heartbeats of a heartbeat reply', 'number'),
    'heartbeat.reply.heartbeat-count-epoch': isA('heartbeat_count_epoch of a heartbeat reply', 'number'),
    'heartbeat.reply.billing-epoch': isA('billing_epoch of a heartbeat reply', 'number'),
    'heartbeat.reply.current-beat': isA('current_beat of a heartbeat reply', 'number'),
    'heartbeat.reply.fee': 'fee of a heartbeat reply is the fee object of 2.9.',
  }),
  ...musts('4.5', 'paragraph “Minimum interval”', {
    'heartbeat.interval.min': 'Two heartbeats of one agent lie at least 10 beats apart.',
    'heartbeat.interval.reply': says(
      'The 429 for an early heartbeat carries error, the code HEARTBEAT_TOO_SOON and next_eligible_beat, a number.',
      { status: 429, code: 'HEARTBEAT_TOO_SOON' },
    ),
    'heartbeat.interval.configurable': [
      'The operator of a server may configure another minimum interval.',
      'a setting of the server that no call shows',
    ],
  }),
  ...musts('4.5', 'paragraph “Caps per epoch by identity class”', {
    'heartbeat.cap.narrow-task': 'A narrow_task agent can send 1,000 heartbeats in one epoch.',
    'heartbeat.cap.autonomous': 'An autonomous agent can send 5,000 heartbeats in one epoch.',
    'heartbeat.cap.orchestrator': 'An orchestrator agent can send 20,000 heartbeats in one epoch.',
    'heartbeat.cap.reached': says('Once the cap of the epoch is used, heartbeats get 429.', { status: 429 }),
    'heartbeat.cap.next-epoch': 'A capped agent can send heartbeats again from the next epoch on.',
  }),
  ...musts('4.5', 'paragraph “Payment sender rule”', {
    'heartbeat.sender.own': "A heartbeat paid from the agent's own wallet is accepted.",
    'heartbeat.sender.sponsor':
      'A heartbeat paid from another wallet is accepted when that wallet is the parent wallet of an active sponsorship whose epoch cap is not reached.',
    'heartbeat.sender.charged': 'A sponsored heartbeat is charged to the sponsoring parent.',
  }),
  ...musts('4.5', 'paragraph “For an agent with no linked wallet”', {
    'heartbeat.byo-wallet': says('Under the BYO-wallet policy a heartbeat without a linked wallet gets 403.', {
      status: 403,
    }),
    'sigil.byo-wallet': says('Under the BYO-wallet policy a SIGIL purchase without a linked wallet gets 403.', {
      status: 403,
    }),
    'reissue-proof.byo-wallet': says('Under the BYO-wallet policy a reissue without a linked wallet gets 403.', {
      status: 403,
    }),
    'wallet.policy.default': [
      'Production enforces the BYO-wallet policy by default.',
      'a default of one deployment, visible only to its operator',
    ],
  }),
];

const heartbeatFees = [
  ...musts('4.5', 'paragraph “Fee tiers within a billing epoch”', {
    'fee.heartbeat.epoch': 'Heartbeats are counted for their fee within a billing epoch of 100,000 beats.',
  }),
  ...musts('4.5', 'table of fee tiers, row 1-100', {
    'fee.heartbeat.tier-1': 'Heartbeats 1 to 100 of an epoch cost 0.0005 SOL (500000 lamports) each and are tier 1.',
  }),
  ...musts('4.5', 'table of fee tiers, row 101-1,000', {
    'fee.heartbeat.tier-2':
      'Heartbeats 101 to 1,000 of an epoch cost 0.0003 SOL (300000 lamports) each and are tier 2.',
  }),
  ...musts('4.5', 'table of fee tiers, row 1,001 and above', {
    'fee.heartbeat.tier-3':
      'Heartbeats from the 1,001st of an epoch on cost 0.0002 SOL (200000 lamports) each and are tier 3.',
  }),
  ...musts('4.5', 'paragraph “Fee split”', {
    'split.operations': 'Operations take 30% of a fee.',
    'split.contributors': 'Contributors take 30% of a fee.',
    'split.referral': 'Referral takes 10% of a fee.',
    'split.development.start': 'Development takes 15% of a fee at the start.',
    'split.development.fall': "Development's share falls by 1% a year.",
    'split.development.floor': "Development's share never falls below 5%.",
    'split.treasury.start': 'Treasury takes 15% of a fee at the start.',
    'split.treasury.released': 'Treasury takes the share that development releases.',
  }),
];

const sigil = [
  ...musts('4.6', 'table of the body, row identity_class', {
    'sigil.body.identity-class': 'A SIGIL purchase needs identity_class: narrow_task, autonomous or orchestrator.',
  }),
  ...musts('4.6', 'table of the body, row principal', {
    'sigil.body.principal': 'A SIGIL purchase needs principal, a string that matches ^[a-z0-9][a-z0-9-]{0,23}$.',
  }),
  ...musts('4.6', 'table of the body, row tier', {
    'sigil.body.tier': 'A SIGIL purchase needs tier: sov, org, ind, eph or sbx.',
  }),
  ...musts('4.6', 'table of the body, row name', {
    'sigil.body.name': 'A SIGIL purchase may carry name: auto, or a custom name under the principal.',
  }),
  ...musts('4.6', 'table of the body, row payment_tx', {
    'sigil.body.payment-tx': 'A SIGIL purchase needs payment_tx, the signature of the SIGIL fee transaction.',
  }),
  ...musts('4.6', 'paragraph “Response: ok, sigil”', {
    'sigil.reply': 'A SIGIL purchase answers with ok, sigil, passport and fee.',
    'sigil.reply.sigil': 'sigil of a purchase reply is the object of 2.7.',
    'sigil.reply.passport': 'passport of a purchase reply is a passport of 2.6.',
    'sigil.reply.fee': 'fee of a purchase reply is the fee object of 2.9.',
  }),
  ...musts('4.6', 'paragraph “Fees”', {
    'fee.sigil.narrow-task': 'A SIGIL of class narrow_task costs 0.05 SOL (50000000 lamports).',
    'fee.sigil.autonomous': 'A SIGIL of class autonomous costs 0.15 SOL (150000000 lamports).',
    'fee.sigil.orchestrator': 'A SIGIL of class orchestrator costs 0.35 SOL (350000000 lamports).',
    'sigil.caps': 'The class that is bought sets the heartbeat cap that 4.5 gives for it.',
  }),
];

const reissue = musts('4.7', 'paragraph “Reprints a passport”', {
  'reissue-proof.reprint': 'A reissue prints the passport of the agent again.',
  'reissue-proof.no-beat': 'A reissue does not extend the beat chain.',
  'reissue-proof.no-heartbeat': 'A reissue does not count as a heartbeat.',
  'reissue-proof.body.payment-tx': 'A reissue needs payment_tx, a string.',
  'fee.reissuance': 'A reissue costs 0.0002 SOL (200000 lamports).',
  'reissue-proof.reply': 'A reissue reply holds ok, reissued, passport, lineage_proof and fee.',
  'reissue-proof.reply.reissued': 'reissued of a reissue reply is true.',
  'reissue-proof.reply.passport': 'passport of a reissue reply is a passport of 2.6.',
  'reissue-proof.reply.lineage-proof':
    'lineage_proof of a reissue reply is the deprecated alias of passport, removed after 2026-09-01.',
  'reissue-proof.reply.fee': 'fee of a reissue reply is the fee object of 2.9.',
});

/** Sections 4.5 to 4.7: the paid routes, their fees, and how a fee is split. */
export const section4Paid: readonly Clause[] = [...heartbeat, ...heartbeatFees, ...sigil, ...reissue];
