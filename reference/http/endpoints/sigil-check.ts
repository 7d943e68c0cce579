/**
 * Handler of POST /sigil/check (D-57): a token that ties an agent to a partner. Nothing is paid on it: where the fee goes is
 * not in the specification.
 */

import { createHmac } from 'node:crypto';
import { ATTRIBUTION, sigilCheck } from '../../../spec/endpoints/client-calls.js';
import { partnerByRef } from '../../registry/partner.js';
import { refuse } from '../../registry/refusal.js';
import { hashOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

export const sigilCheckRoute = route(sigilCheck, ({ registry, agent, body: { partner_ref: ref } }) => {
  if (partnerByRef(registry, ref) < 0) return refuse('sigil/VALIDATION', 'partner_ref: no partner has this ref');
  const mac = createHmac('sha256', registry.keySecret).update(`attribution:${ref}:${hashOf(registry, agent)}`);
  return reply({
    ok: true,
    attribution_token: `${ATTRIBUTION}${mac.digest('hex')}`,
    signup_url: null,
    already_has_sigil: registry.sigils.has(agent),
  });
});
