/** Handler of POST /register/token (4.3). The token is made in registry/register-token.ts. */

import { registerToken } from '../../../spec/endpoints/index.js';
import { registerToken as registerTokenRule } from '../../registry/register-token.js';
import { reply, route } from '../request/route.js';

export const registerTokenRoute = route(registerToken, ({ registry, nowMs }) =>
  reply({
    ok: true,
    token: registerTokenRule(registry, nowMs).token,
    expires_in_sec: registry.protocol.registration.tokenTtlSec,
    _info: 'Send this as x-registration-token to POST /api/v1/register. It works once.',
  }),
);
