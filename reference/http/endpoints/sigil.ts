/**
 * Handler of POST /sigil (4.6): buys the SIGIL, writes its birth memo to the ledger and returns the first passport. The
 * rule is in registry/sigil.ts.
 */

import type { MutableMetadata } from '../../../spec/endpoints/identity-schemas.js';
import { sigil } from '../../../spec/endpoints/index.js';
import { sigilText } from '../../../spec/formats.js';
import { birthMemo } from '../../beats/memo-text.js';
import { setMetadata } from '../../registry/metadata.js';
import { signPassport } from '../../registry/passport.js';
import { recordBirth, sigil as sigilRule } from '../../registry/sigil.js';
import { hashOf } from '../../registry/state.js';
import { sigilView } from '../../registry/verify.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';
import { depositView, feeView } from './reply-parts.js';

export const sigilRoute = route(sigil, purchase, { writesMemo: true });

function purchase({
  service,
  registry,
  agent,
  body,
  nowMs,
  payment,
  writeMemo,
}: EndpointCall<typeof sigil>): HandlerResult {
  const { identity_class: identityClass, principal, tier, name, payment_tx: paymentTx } = body;
  const done = sigilRule(registry, { agent, identityClass, principal, tier, name, payment: payment(paymentTx) }, nowMs);
  if (!done.ok) return done;
  if (registry.dialect.sigilFields === 'mutable-too') setMetadata(registry, { agent, fields: body as MutableMetadata });
  const named = sigilText(done.sigil);
  const birth =
    registry.dialect.memos === 'json'
      ? birthMemo({ agentHash: hashOf(registry, agent), sigil: named, nowMs })
      : `sigil ${named} ${hashOf(registry, agent)}`;
  recordBirth(registry, { agent, birthTx: writeMemo(birth) });
  return reply({
    ok: true,
    sigil: sigilView(registry, agent),
    passport: signPassport(registry, agent, service.authority, nowMs),
    fee: feeView(done.feeLamports, paymentTx),
    ...depositView(registry, done),
  });
}
