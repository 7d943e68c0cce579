/** The clauses of sections 4.8 to 4.10: spawn, submitted beats, resync. */

import type { Clause } from '../clause.js';
import { isA, musts, says } from './rows.js';

const spawn = [
  ...musts('4.8', "paragraph “Auth: the parent's key”", {
    'spawn.auth': "A spawn call is made with the parent's key.",
    'spawn.mode':
      'The mode of a spawn call follows from which of child_name, beats_receipt and child_hash are present.',
    'spawn.body.child-name': isA('child_name of a spawn call', 'string'),
    'spawn.body.beats-receipt': isA('beats_receipt of a spawn call', 'string'),
    'spawn.body.child-hash': isA('child_hash of a spawn call', 'string'),
  }),
  ...musts('4.8', 'table of modes, row child_name only', {
    'spawn.probe.reply': says(
      'A spawn call with child_name alone gets 402 RECEIPT_REQUIRED with error, code, required_beats, depth and siblings.',
      { status: 402, code: 'RECEIPT_REQUIRED' },
    ),
  }),
  ...musts('4.8', 'table of modes, row child_name + beats_receipt', {
    'spawn.preflight.reply':
      'A spawn call with child_name and beats_receipt answers with ok, eligible, spawn_authorization, receipt_based and required_beats.',
    'spawn.preflight.reply.eligible': 'eligible of a granted preflight is true.',
    'spawn.preflight.reply.spawn-authorization': isA('spawn_authorization of a granted preflight', 'string'),
    'spawn.preflight.reply.receipt-based': 'receipt_based of a preflight with a receipt is true.',
  }),
  ...musts('4.8', 'table of modes, row child_name + child_hash', {
    'spawn.finalize.reply': 'A spawn call with child_name and child_hash answers with ok, eligible and child_hash.',
    'spawn.finalize.reply.eligible': 'eligible of a finalize reply is true.',
  }),
  ...musts('4.8', 'paragraph “An older form without receipts”', {
    'spawn.older.progress': [
      'An older form of spawn, without receipts, answered a parent with too few beats with ok false, eligible false, progress_pct and deficit.',
      'an older form that the receipt form replaced; D-31 says where its fields appear now',
    ],
  }),
  ...musts('4.8', 'paragraph “Spawn cost in beats”', {
    'spawn.cost.depth': 'The depth cost of a child is floor(1000 x 1.5^depth) beats.',
    'spawn.cost.siblings':
      'The cost of a child is floor(depth cost x 1.2^siblings) beats (an older page floored both powers first).',
    'spawn.cost.check.0-0': 'A child at depth 0 with 0 siblings costs 1,000 beats.',
    'spawn.cost.check.0-1': 'A child at depth 0 with 1 sibling costs 1,200 beats.',
    'spawn.cost.check.1-0': 'A child at depth 1 with 0 siblings costs 1,500 beats.',
    'spawn.cost.check.1-1': 'A child at depth 1 with 1 sibling costs 1,800 beats.',
    'spawn.cost.check.2-0': 'A child at depth 2 with 0 siblings costs 2,250 beats.',
    'spawn.cost.check.2-3': 'A child at depth 2 with 3 siblings costs 3,888 beats.',
  }),
  ...musts('4.8', 'paragraph “Beats service”', {
    'work-proof.route': 'POST {beats_url}/api/v1/beat/work-proof exists on the beats service.',
    'work-proof.body': 'A work-proof call carries work_proof, the object of 2.5.',
    'work-proof.reply': 'An accepted work-proof call answers with ok and receipt.',
    'spawn.child.init': 'A spawned child may call init.',
    'spawn.child.heartbeat': 'A spawned child may send heartbeats.',
    'spawn.child.sigil': 'A child may buy a SIGIL, which gives it a named identity, but need not.',
  }),
];

const submit = musts('4.9', 'paragraph “Credits sequential work”', {
  'beats-submit.credit': 'A beat submission adds sequential work to total_beats, which counts for spawning.',
  'beats-submit.fee-free': 'A beat submission needs no payment.',
  'beats-submit.body': 'A beat submission carries a beat proof of 2.4.',
  'beats-submit.reply':
    'A beat submission answers with ok, agent_hash, beats_accepted, total_beats, latest_beat_index, global_anchor and spot_checks_verified.',
  'beats-submit.reply.numbers': 'All fields of a submission reply but ok and agent_hash are numbers.',
});

const resync = [
  ...musts('4.10', 'paragraph “Reactivates a frozen agent”', {
    'resync.reactivates': 'Resync makes a frozen agent active again.',
  }),
  ...musts('4.10', 'bullet “Challenge form”', {
    'resync.challenge.body': 'The challenge form of resync starts with action challenge.',
    'resync.challenge.reply':
      'A resync challenge answers with challenge {nonce, required_beats, start_from_hash, start_from_beat, difficulty, sync_to_global}.',
    'resync.challenge.reply.gap-beats': 'A resync challenge answers with gap_beats beside the challenge.',
    'resync.prove.body':
      'The challenge form of resync ends with action prove, challenge_nonce (a string) and proof (a beat proof of 2.4).',
    'resync.prove.reply': 'An accepted prove answers with ok, status and total_beats.',
    'resync.nonce.once': [
      'A resync nonce that was used is refused the second time.',
      'an agent whose nonce was used is active again, and cannot be frozen a second time while the nonce lives',
    ],
    'resync.nonce.ttl': 'A resync nonce is refused once 5 minutes have passed.',
  }),
  ...musts('4.10', 'bullet “Receipt form”', {
    'resync.receipt.body': 'The receipt form of resync carries beats_receipt, a receipt signed by the beats service.',
    'resync.receipt.required': 'beats_receipt must be sent while BEATS_REQUIRED is true.',
    'resync.receipt.reply':
      'The receipt form of resync answers with ok, agent_hash, status, last_global_sync, gap_anchors, required_beats, beats_proven and receipt_based.',
    'resync.receipt.reply.status': 'status of a receipt-form reply is active.',
    'resync.receipt.reply.receipt-based': isA('receipt_based of a receipt-form reply', 'boolean'),
  }),
  ...musts('4.10', 'paragraph “Penalty beats required”', {
    'resync.penalty': 'The penalty of a resync is 100 beats times the anchors missed.',
    'resync.penalty.cap': 'The penalty of a resync is never more than 10,000 beats.',
  }),
];

/** Sections 4.8 to 4.10: work, and what it buys. */
export const section4Work: readonly Clause[] = [...spawn, ...submit, ...resync];
