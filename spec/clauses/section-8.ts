/** The clauses of section 8: rate limits and other constants. */

import type { Clause } from '../clause.js';
import { musts } from './rows.js';

const limits = [
  ...musts('8', 'table of limits, row register (no wallet and child)', {
    'limit.register':
      'Registrations without a wallet and of children are limited to 10 an hour per IP (an older page gave 5 a minute).',
  }),
  ...musts('8', 'table of limits, row register (wallet challenge/register flow)', {
    'limit.register.wallet-flow':
      'Calls of the wallet registration flow, challenge or finalize, are limited to 30 an hour per IP.',
  }),
  ...musts('8', 'table of limits, row register/token', {
    'limit.register-token.ip': 'Registration tokens are limited to 3 an hour per IP.',
    'limit.register-token.global': 'Registration tokens are limited to 50 an hour over all callers together.',
  }),
  ...musts('8', 'table of limits, row agent/wallet', {
    'limit.wallet': 'Wallet-link calls are limited to 30 an hour per IP.',
  }),
  ...musts('8', 'table of limits, row agent/init', {
    'limit.init': 'Init calls are limited to 30 an hour per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row agent/heartbeat', {
    'limit.heartbeat': 'Heartbeats are limited to 60 a minute per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row sigil', {
    'limit.sigil': 'SIGIL purchases are limited to 5 an hour per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row reissue-proof', {
    'limit.reissue-proof': 'Reissues are limited to 10 an hour per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row agent/spawn', {
    'limit.spawn': 'Spawn calls are limited to 5 an hour per endpoint subject (an older page gave 5 a minute per IP).',
  }),
  ...musts('8', 'table of limits, row agent/beats/submit', {
    'limit.beats-submit': 'Beat submissions are limited to 30 a minute per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row agent/resync', {
    'limit.resync.challenge': 'Resync calls of the challenge form are limited to 5 a minute per IP.',
    'limit.resync.receipt': 'Resync calls of the receipt form are limited to 10 an hour per IP.',
  }),
  ...musts('8', 'table of limits, row agent/metadata', {
    'limit.metadata': 'Metadata changes are limited to 30 a minute per endpoint subject.',
  }),
  ...musts('8', 'table of limits, row sponsor POST / DELETE / GET', {
    'limit.sponsor.post': 'POST calls of the sponsor endpoint are limited to 10 an hour per agent.',
    'limit.sponsor.delete': 'DELETE calls of the sponsor endpoint are limited to 60 a minute per agent.',
    'limit.sponsor.get': 'GET calls of the sponsor endpoint are limited to 60 a minute per agent.',
  }),
  ...musts('8', 'table of limits, row agent/flag', {
    'limit.flag.ip': 'Flag calls are limited to 10 a minute per IP.',
    'limit.flag.reporter': 'One reporter can flag 3 times an hour.',
    'limit.flag.target': 'One target can be flagged 10 times an hour.',
    'limit.flag.breaker':
      'The circuit breaker blocks new flags while more than 20 flags of the last 24 hours are pending.',
  }),
  ...musts('8', 'table of limits, row verify/batch', {
    'limit.verify-batch': 'Batch verifications are limited to 10 a minute per IP.',
  }),
  ...musts('8', 'table of limits, row admin subsidy', {
    'limit.subsidy': 'Admin subsidy calls are limited to 30 a minute per IP.',
  }),
  ...musts('8', 'table of limits, row partner webhook', {
    'limit.partner-webhook': 'Partner webhook calls are limited to 10 a minute per partner.',
  }),
];

const constants = [
  ...musts('8', 'table of constants, row Billing epoch', {
    'constant.billing-epoch': 'The constants table gives a billing epoch as 100,000 beats.',
  }),
  ...musts('8', 'table of constants, row Passport validity', {
    'constant.passport-validity': 'The constants table gives the validity of a passport as 24 hours.',
  }),
  ...musts('8', 'table of constants, row Minimum heartbeat interval', {
    'constant.heartbeat-interval': 'The constants table gives the minimum interval between heartbeats as 10 beats.',
  }),
  ...musts('8', 'table of constants, row DMS freeze threshold', {
    'constant.dms-threshold':
      'The constants table gives the freeze threshold as more than 60 consecutive global anchors missed.',
  }),
  ...musts('8', 'table of constants, row Resync penalty', {
    'constant.resync-penalty': 'The constants table gives the resync penalty as 100 beats for each missed anchor.',
    'constant.resync-penalty-cap': 'The constants table caps the resync penalty at 10,000 beats.',
  }),
  ...musts('8', 'table of constants, row Wallet-link and resync nonce TTL', {
    'constant.nonce-ttl.wallet': 'The constants table gives the life of a wallet-link nonce as 300 seconds.',
    'constant.nonce-ttl.resync': 'The constants table gives the life of a resync nonce as 300 seconds.',
    'constant.nonce-single-use.wallet': 'The constants table makes a wallet-link nonce valid for a single use.',
    'constant.nonce-single-use.resync': [
      'The constants table makes a resync nonce valid for a single use.',
      'an agent whose nonce was used is active again, and cannot be frozen a second time while the nonce lives',
    ],
  }),
  ...musts('8', 'table of constants, row Registration token TTL', {
    'constant.registration-token-ttl': 'The constants table gives the life of a registration token as 300 seconds.',
    'constant.registration-token-form':
      'The constants table gives the form of a registration token as 64 hex characters.',
  }),
  ...musts('8', 'table of constants, row Registration metadata', {
    'constant.registration-metadata': 'The constants table limits registration metadata to 4 KB in serialized form.',
  }),
  ...musts('8', 'table of constants, row Batch verify', {
    'constant.verify-batch-min': 'The constants table gives 1 as the smallest number of hashes in a batch.',
    'constant.verify-batch-max': 'The constants table gives 50 as the largest number of hashes in a batch.',
  }),
  ...musts('8', 'table of constants, row Flag reason', {
    'constant.flag-reason-min': 'The constants table gives 1 character as the smallest length of a flag reason.',
    'constant.flag-reason-max': 'The constants table gives 2000 characters as the largest length of a flag reason.',
  }),
  ...musts('8', 'table of constants, row Webhook delivery timeout', {
    'constant.webhook-timeout': 'The constants table gives the timeout of a webhook delivery as 3 seconds.',
  }),
  ...musts('8', 'table of constants, row Default beats difficulty', {
    'constant.beats-difficulty': 'The constants table gives 1000 as the default difficulty of beats.',
  }),
  ...musts('8', 'table of constants, row Subsidy floor default', {
    'constant.subsidy-floor': 'The constants table gives 5000 lamports as the default floor of a subsidy.',
  }),
];

export const section8: readonly Clause[] = [...limits, ...constants];
