/** The clauses of section 3: states and transitions. */

import type { Clause } from '../clause.js';
import { musts, says } from './rows.js';

const agent = [
  ...musts('3.1', 'paragraph “Statuses”', {
    'agent.status.values': 'The status of an agent whose chain has started is active or frozen.',
    'checkin.older.warning-overdue': [
      'The retired check-in also reported warning_overdue with beats_behind, a number.',
      'the check-in is retired and reports nothing any more',
    ],
  }),
  ...musts('3.1', 'table of transitions, row registered, chain not started', {
    'init.transition.active': 'Init with a valid key makes a registered agent active.',
    'init.transition.genesis': 'Init creates the genesis beat.',
    'init.transition.repeat': 'Init on a started chain returns the chain that exists.',
  }),
  ...musts('3.1', 'table of transitions, row active, DMS cron', {
    'dms.freeze': 'An active agent is frozen once it has missed more than 60 consecutive anchors without a heartbeat.',
    'dms.freeze.event': 'Freezing an agent emits agent.frozen.',
    'dms.freeze.sponsorships': 'Freezing an agent revokes the sponsorships that involve it.',
    'dms.freeze.heartbeats': 'The heartbeats of a frozen agent are refused.',
  }),
  ...musts('3.1', 'table of transitions, row frozen, POST /agent/resync', {
    'resync.transition.active':
      'Resync with a valid proof or receipt for the penalty beats turns a frozen agent active.',
    'resync.transition.last-global-sync': 'Resync updates last_global_sync.',
    'resync.transition.event': 'Resync emits agent.unfrozen.',
  }),
  ...musts('3.1', 'table of transitions, row not frozen, POST /agent/resync', {
    'resync.transition.not-frozen': says(
      'Resync of an agent that is not frozen changes nothing and gets 409 AGENT_WRONG_STATE.',
      { status: 409, code: 'AGENT_WRONG_STATE' },
    ),
  }),
];

const wallet = [
  ...musts('3.2', 'table of transitions, row no wallet', {
    'wallet.state.none': 'An agent without a wallet is api-sponsored, and its wallet reads null.',
    'wallet.transition.linked':
      'A challenge followed by a finalize with a valid nonce and a valid signature links the wallet.',
    'wallet.transition.nonce': 'The nonce of a wallet link is valid for 300 seconds.',
  }),
  ...musts('3.2', 'table of transitions, row wallet linked', {
    'wallet.transition.again': says('A wallet call on a linked agent changes nothing and gets 409.', { status: 409 }),
  }),
];

const sigil = [
  ...musts('3.3', 'table of transitions, row no SIGIL', {
    'sigil.transition.issued': 'A purchase with a valid payment and valid fields issues the SIGIL.',
    'sigil.transition.passport': 'A purchase of a SIGIL returns a passport.',
    'sigil.transition.event': 'A purchase of a SIGIL emits sigil.purchased.',
  }),
  ...musts('3.3', 'table of transitions, row SIGIL issued', {
    'sigil.transition.again': says(
      'A purchase by an agent that holds a SIGIL changes nothing and gets 409 SIGIL_ALREADY_EXISTS.',
      { status: 409, code: 'SIGIL_ALREADY_EXISTS' },
    ),
  }),
];

const sponsor = [
  ...musts('3.4', 'table of transitions, row none, POST /agent/sponsor', {
    'sponsor.transition.create': 'Sponsoring under the requirements of 4.13 makes an active sponsorship.',
  }),
  ...musts('3.4', 'table of transitions, row active, POST /agent/sponsor again', {
    'sponsor.transition.update': 'Sponsoring the same child again updates the sponsorship, which stays active.',
  }),
  ...musts('3.4', 'table of transitions, row active, DELETE /agent/sponsor', {
    'sponsor.transition.revoke': 'DELETE revokes an active sponsorship.',
  }),
  ...musts('3.4', 'table of transitions, row active, either party frozen by DMS', {
    'sponsor.transition.frozen.parent': 'A sponsorship is revoked automatically when the DMS freezes the parent.',
    'sponsor.transition.frozen.child': 'A sponsorship is revoked automatically when the DMS freezes the child.',
  }),
  ...musts('3.4', "table of transitions, row active, child's API key revoked", {
    'sponsor.transition.key-revoked': "A sponsorship is revoked automatically when the child's API key is revoked.",
  }),
];

const flag = [
  ...musts('3.5', 'table of transitions, row none, POST /agent/flag', {
    'flag.transition.pending': 'A flag that meets the rules of 4.16 becomes pending.',
    'flag.transition.review': [
      'A new flag triggers a review by an administrator.',
      "the administrators' work happens outside the interface",
    ],
  }),
  ...musts('3.5', 'table of transitions, row pending, admin review sustains', {
    'flag.transition.sustained':
      'Once a review sustains a complaint, the heartbeats of its target are refused until the complaint is resolved.',
  }),
];

const spawn = [
  ...musts('3.6', 'table of steps, row 1 probe', {
    'spawn.flow.probe': says(
      'Step 1 of a spawn: child_name alone gets 402 RECEIPT_REQUIRED with required_beats, depth and siblings.',
      { status: 402, code: 'RECEIPT_REQUIRED' },
    ),
  }),
  ...musts('3.6', 'table of steps, row 2 anchor', {
    'spawn.flow.anchor': 'Step 2 of a spawn: GET /beat/anchor gives the current global anchor.',
  }),
  ...musts('3.6', 'table of steps, row 3 compute', {
    'spawn.flow.compute':
      'Step 3 of a spawn: required_beats sequential SHA-256 hashes with spot checks make a work proof.',
  }),
  ...musts('3.6', 'table of steps, row 4 receipt', {
    'spawn.flow.receipt':
      'Step 4 of a spawn: POST {beats_url}/api/v1/beat/work-proof turns the work proof into a signed receipt.',
  }),
  ...musts('3.6', 'table of steps, row 5 preflight', {
    'spawn.flow.preflight': 'Step 5 of a spawn: child_name and beats_receipt give a spawn_authorization token.',
  }),
  ...musts('3.6', 'table of steps, row 6 register', {
    'spawn.flow.register':
      'Step 6 of a spawn: POST /register with parent key, parent and spawn_authorization makes the child exist.',
  }),
  ...musts('3.6', 'table of steps, row 7 finalize', {
    'spawn.flow.finalize': 'Step 7 of a spawn: child_name and child_hash make the lineage link.',
  }),
];

export const section3: readonly Clause[] = [...agent, ...wallet, ...sigil, ...sponsor, ...flag, ...spawn];
