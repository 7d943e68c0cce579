/** POST /register/token (4.3): its refusals, and the evidence of its reply. */

import { at } from '../reading/values.js';
import type { Operation } from '../settle.js';
import { handOut } from '../tickets.js';

export const registerToken: Operation<object> = {
  ids: ['register-token'],
  facts: () => ({}),
  refusals: [
    {
      row: 'register-token/CONTENT_TYPE_REQUIRED',
      clauses: ['register-token.error.content-type-required'],
      when: (_, { call }) =>
        call.isJson ? false : /json/i.test(call.headers['content-type'] ?? 'json') ? undefined : true,
    },
  ],
  accepts: () => ['register-token.body'],
  accepted: (_, { state, call, judgement }) => {
    judgement.equals(call.json, 'ok', true, 'register-token.reply.ok');
    const token = at(call.json, 'token');
    judgement.that(
      'token',
      typeof token === 'string' && !state.tickets.has(token),
      'a new token',
      token,
      'register-token.reply.token',
    );
    handOut(state, token, { kind: 'token', of: '' });
  },
};
