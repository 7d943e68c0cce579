/**
 * Clauses that state one fact together: sections 1 and 8 repeat numbers and rules of sections 2 to 6. The first is the one that gives
 * it. Numbers, entailed clauses, the model and the checks take them from here.
 */
export const groups = {
  batchMax: ['verify-batch.body.hashes', 'constant.verify-batch-max'],
  batchMin: ['verify-batch.body.hashes', 'constant.verify-batch-min'],
  difficulty: ['init.reply.difficulty', 'constant.beats-difficulty'],
  epoch: ['constant.billing-epoch', 'fee.heartbeat.epoch'],
  flagReason: ['flag.body.reason', 'constant.flag-reason-min', 'constant.flag-reason-max'],
  freeze: ['dms.freeze', 'constant.dms-threshold', 'service.dms'],
  heartbeatInterval: ['heartbeat.interval.min', 'constant.heartbeat-interval'],
  linkNonceTtl: ['wallet.transition.nonce', 'constant.nonce-ttl.wallet'],
  metadataSize: ['register.metadata.size', 'constant.registration-metadata'],
  passportValidity: ['passport.validity', 'passport.field.valid-until', 'constant.passport-validity'],
  penalty: ['resync.penalty', 'constant.resync-penalty'],
  penaltyCap: ['resync.penalty.cap', 'constant.resync-penalty-cap'],
  resyncNonceOnce: ['resync.nonce.once', 'constant.nonce-single-use.resync'],
  resyncNonceTtl: ['resync.nonce.ttl', 'constant.nonce-ttl.resync'],
  subsidyFloor: ['fee.floor.default', 'constant.subsidy-floor'],
  tokenForm: ['register-token.reply.token', 'constant.registration-token-form'],
  tokenTtl: ['register-token.use.window', 'constant.registration-token-ttl'],
  webhookTimeout: ['delivery.timeout', 'constant.webhook-timeout'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
