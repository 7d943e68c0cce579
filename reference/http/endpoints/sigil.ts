/**
 * Handler of POST /sigil (4.6): buys the SIGIL, writes its birth memo to the ledger and returns the first passport. The
 * rule is in registry/sigil.ts.
 */

import { sigil } from '../../../spec/endpoints/index.js';
import { memo } from '../../ledger/ledger.js';
import { signPassport } from '../../registry/passport.js';
import { sigil as buy, recordBirth } from '../../registry/sigil.js';
import { hashOf } from '../../registry/state.js';
import { sigilView } from '../../registry/verify.js';
import { reply, route } from '../request/route.js';
import { feeView } from './reply-parts.js';

/** POST /sigil, 4.6. */
export const sigilRoute = route(sigil, ({ service, registry, agent, body, nowMs, payment }) => {
  const { identity_class: identityClass, principal, tier, name, payment_tx: paymentTx } = body;
  const done = buy(registry, { agent, identityClass, principal, tier, name, payment: payment(paymentTx) }, nowMs);
  if (!done.ok) return done;
  const { ledger, paymentAccount } = service;
  const birth = `sigil ${done.sigil.name}*${principal}*${tier} ${hashOf(registry, agent)}`;
  recordBirth(registry, { agent, birthTx: memo(ledger, { from: paymentAccount, text: birth, nowMs }) });
  return reply({
    ok: true,
    sigil: sigilView(registry, agent),
    passport: signPassport(registry, agent, service.authority, nowMs),
    fee: feeView(done.feeLamports, paymentTx),
  });
});
