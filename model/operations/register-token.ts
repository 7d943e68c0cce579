/** POST /register/token (4.3): its refusals, and the evidence of its reply. */

import type { Operation } from '../case.js';
import { issueTicket } from '../facts/tickets.js';
import { isHex } from '../reading/field-tests.js';
import { at } from '../reading/values.js';

export const registerToken: Operation<object> = {
  ids: ['register-token'],
  facts: () => ({}),
  refusals: [
    {
      row: 'register-token/CONTENT_TYPE_REQUIRED',
      also: ['convention.content-type'],
      when: (_, { call }) => !call.isJson && (call.bodyBytes > 0 || undefined),
    },
  ],
  accepts: () => ['register-token.body'],
  accepted: (_, { state, call, judgement }) => {
    const token = at(call.json, 'token');
    const isNew = typeof token === 'string' && !state.tickets.holds(token);
    judgement.that('token', isNew, 'a new token', token, 'register-token.reply.token');
    const { tokenTtlSec, tokenBytes } = state.settings.protocol.registration;
    judgement.equals('expires_in_sec', tokenTtlSec, 'constant.registration-token-ttl');
    judgement.that('token', isHex(tokenBytes).holds(token), 'hex', token, 'constant.registration-token-form');
    issueTicket(state, token, { kind: 'token', of: '' });
  },
};
