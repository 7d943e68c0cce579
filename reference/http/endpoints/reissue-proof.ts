import { reissueProof } from '../../../spec/endpoints/index.js';
import { reissueProof as reissue } from '../../registry/reissue-proof.js';
import { namedPayment } from '../../service.js';
import { reply, route } from '../request/route.js';
import { feeView, passportReply } from './agent-view.js';

/** POST /agent/reissue-proof, 4.7. */
export const reissueProofRoute = route(reissueProof, ({ service, registry, agent, body, nowMs, observed }) => {
  const done = reissue(registry, { agent, payment: namedPayment(service, body.payment_tx, nowMs, observed) }, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    reissued: true,
    ...passportReply(service, agent, nowMs),
    fee: feeView(done.feeLamports, body.payment_tx),
  });
});
