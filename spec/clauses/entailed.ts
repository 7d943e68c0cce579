/**
 * Clauses that a clause entails: they repeat it, or cannot hold if it does not. Sections 1, 7 and 8 repeat much of sections 2 to 6. So a fault
 * against one clause also breaks the others, and reporting them is no false alarm.
 */

import { groups } from './groups.js';
import { clauses } from './index.js';

/** Groups of clauses that state one fact: each entails the others. */
const same: readonly (readonly string[])[] = [
  [...groups.passportValidity, 'service.heartbeat.passport'],
  [...groups.heartbeatInterval, 'heartbeat.error.heartbeat-too-soon', 'heartbeat.interval.reply'],
  ['passport.signed', 'service.passport.offline', 'auth.passport.offline', 'authority-key.purpose'],
  groups.freeze,
  ['dms.freeze.sponsorships', 'sponsor.transition.frozen.parent', 'sponsor.transition.frozen.child'],
  ['dms.freeze.event', 'event.agent-frozen'],
  ['resync.transition.event', 'event.agent-unfrozen'],
  ['sigil.transition.event', 'event.sigil-purchased'],
  groups.penalty,
  groups.penaltyCap,
  ['resync.reactivates', 'resync.transition.active', 'service.resync', 'service.beats.resync'],
  groups.resyncNonceTtl,
  [...groups.linkNonceTtl, 'wallet.error.nonce-invalid'],
  ['wallet.transition.linked', 'wallet.transition.nonce', 'wallet.purpose', 'key.wallet-signature.use'],
  [
    'wallet.self-custody.message',
    'wallet.self-custody.body',
    'wallet.transition.linked',
    'key.wallet-signature.ed25519',
  ],
  ['wallet.operator.message', 'wallet.operator.body', 'wallet.transition.linked', 'key.wallet-signature.ed25519'],
  ['wallet.transition.again', 'wallet.error.wallet-already-linked', 'constant.nonce-single-use.wallet'],
  [...groups.tokenTtl, 'key.registration-token', 'register-token.reply.expires-in-sec'],
  [
    'register-token.use.replaces-secret',
    'register.header.token',
    'key.registration-token',
    'register-token.use.header',
  ],
  groups.tokenForm,
  groups.metadataSize,
  ['register.header.secret.mainnet', 'key.registration-secret', 'key.registration-secret.mainnet'],
  ['register.header.secret.devnet', 'key.registration-secret.devnet'],
  [...groups.batchMin, 'verify-batch.error.invalid-input'],
  [...groups.batchMax, 'verify-batch.error.batch-too-large'],
  [...groups.flagReason, 'flag.error.validation.reason'],
  ['flag.body.asserted-class', 'flag.error.validation'],
  ['flag.body.target-hash', 'flag.error.validation'],
  ['flag.rule.reporter-sigil', 'flag.error.flag-reporter-ineligible'],
  ['flag.rule.reporter-tier', 'flag.error.flag-reporter-ineligible.sandbox'],
  ['flag.rule.not-self', 'flag.error.flag-self'],
  ['flag.rule.target-exists', 'flag.error.flag-target-not-found'],
  ['flag.rule.one-pending', 'flag.error.flag-duplicate'],
  ['flag.reply.status', 'flag.field.status', 'flag.transition.pending'],
  groups.webhookTimeout,
  ['delivery.secret.only-put', 'partner-webhook.get.no-secret', 'partner-webhook.field.webhook-secret.when'],
  ['delivery.secret.generated', 'partner-webhook.field.webhook-secret', 'partner-webhook.put.reply'],
  groups.difficulty,
  [...groups.subsidyFloor, 'subsidy.post.body.floor-lamports'],
  [
    'heartbeat.cap.narrow-task',
    'service.class.cap',
    'sigil.caps',
    'heartbeat.cap.reached',
    'heartbeat.error.volume-cap-reached',
  ],
  ['heartbeat.cap.autonomous', 'service.class.cap', 'sigil.caps', 'heartbeat.cap.reached'],
  ['heartbeat.sender.sponsor', 'sponsor.pays', 'service.sponsor'],
  ['heartbeat.sigil.root', 'heartbeat.error.sigil-required'],
  ['heartbeat.sigil.child', 'spawn.child.heartbeat', 'spawn.child.sigil'],
  ['heartbeat.byo-wallet', 'heartbeat.error.wallet-required', 'auth.wallet-required'],
  ['sigil.byo-wallet', 'sigil.error.wallet-required', 'auth.wallet-required'],
  ['heartbeat.body.payment-tx', 'heartbeat.error.payment-required'],
  ['sigil.transition.again', 'sigil.error.sigil-already-exists'],
  ['sigil.transition.issued', 'sigil.reply', 'service.sigil.identity'],
  ['sigil.body.identity-class', 'sigil.error.validation'],
  ['sigil.body.tier', 'sigil.error.validation.tier'],
  ['sigil.body.principal', 'sigil.error.validation.parameters'],
  [
    'passport.alias.identical',
    'heartbeat.reply.lineage-proof',
    'reissue-proof.reply.lineage-proof',
    'versioning.lineage-proof',
  ],
  ['spawn.probe.reply', 'spawn.flow.probe', 'spawn.error.receipt-required'],
  ['spawn.flow.finalize', 'spawn.finalize.reply'],
  ['spawn.flow.preflight', 'spawn.preflight.reply'],
  ['sponsor.rule.wallet', 'sponsor.error.wallet-required'],
  ['sponsor.rule.not-frozen', 'sponsor.error.sponsor-parent-frozen'],
  ['sponsor.rule.descendant', 'sponsor.error.sponsor-not-ancestor'],
  ['sponsor.rule.not-self', 'sponsor.error.sponsor-invalid'],
  ['sponsor.post.body.max-heartbeats-epoch', 'sponsor.error.validation.parameters'],
  ['sponsor.post.body.expires-in-hours', 'sponsor.error.validation.parameters'],
  ['sponsor.post.body.child-hash', 'sponsor.error.validation'],
  ['subsidy.post.body.fee-type', 'subsidy.error.subsidy-invalid'],
  ['subsidy.post.body.discount-bps', 'subsidy.error.subsidy-invalid.discount-bps'],
  ['subsidy.auth', 'key.admin', 'subsidy.error.auth-invalid', 'subsidy.error.auth-missing'],
  ['partner-webhook.auth', 'key.partner', 'partner-webhook.error.auth-missing', 'partner-webhook.error.auth-forbidden'],
  ['partner-webhook.put.body.url', 'partner-webhook.error.webhook-invalid'],
  ['partner-webhook.put.body.events', 'partner-webhook.error.webhook-invalid.events'],
  ['metadata.sigil-needed', 'metadata.error.sigil-required'],
  ['auth.agent-key.missing', 'auth.error.auth-missing'],
  ['auth.agent-key.invalid', 'auth.error.auth-missing.invalid', 'key.agent.signature', 'key.agent.form'],
  ['checkin.gone', 'checkin.error.gone', 'versioning.checkin'],
  ['init.transition.repeat', 'init.idempotent', 'init.reply.again'],
  ['agent.field.api-key', 'key.agent.form'],
  ['agent.field.depth', 'lineage.root'],
  ['agent.field.parent', 'lineage.root'],
  ['work-proof.reply.receipt', 'spawn.flow.receipt', 'service.beats-service'],
];

/** Section 7 gives the refusal of every limit of section 8. */
const LIMIT_ERROR = 'limit.error.rate-limited';
const limits = clauses.filter(({ id, level }) => id.startsWith('limit.') && id !== LIMIT_ERROR && level === 'must');

/** In one direction only: if the first does not hold, the others cannot. */
const follows: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(limits.map(({ id }) => [id, [LIMIT_ERROR]])),
  'register.metadata.set-once': ['register.metadata.returned.verify', 'register.metadata.returned.status'],
};

const entailed = new Map<string, Set<string>>();
for (const group of same) {
  for (const id of group) {
    const others = entailed.get(id) ?? new Set<string>();
    entailed.set(id, others);
    for (const other of group) if (other !== id) others.add(other);
  }
}
for (const [id, others] of Object.entries(follows)) {
  entailed.set(id, new Set([...(entailed.get(id) ?? []), ...others]));
}

/** The other clauses that a clause entails. */
export function entailedBy(clause: string): readonly string[] {
  return [...(entailed.get(clause) ?? [])];
}

/** Every clause that the table names. */
export const entailedClauses: readonly string[] = [...new Set([...same.flat(), ...Object.entries(follows).flat(2)])];
