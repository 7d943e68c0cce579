/** Handler of POST /agent/reissue-proof (4.7). The rule is in registry/reissue-proof.ts. */

import { reissueProof } from '../../../spec/endpoints/index.js';
import { reissueProof as reissueProofRule } from '../../registry/reissue-proof.js';
import { reply, route } from '../request/route.js';
import { feeView, passportReply } from './reply-parts.js';

export const reissueProofRoute = route(reissueProof, ({ service, registry, agent, body, nowMs, payment }) => {
  const done = reissueProofRule(registry, { agent, payment: payment(body.payment_tx) }, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    reissued: true,
    ...passportReply(service, agent, nowMs),
    fee: feeView(done.feeLamports, body.payment_tx),
  });
});
