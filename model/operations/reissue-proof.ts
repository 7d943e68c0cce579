/** POST /agent/reissue-proof (4.7): its refusals, and the evidence of its reply. */

import type { Operation } from '../case.js';

import { judgeAlias, judgePassport } from '../views/passport.js';
import {
  judgeFee,
  ownSender,
  type Paid,
  paidFacts,
  paymentInvalid,
  paymentRequired,
  paymentUsed,
  walletRequired,
} from './payment.js';

export const reissueProof: Operation<Paid> = {
  ids: ['reissue-proof'],
  facts: (given) =>
    given.agent === undefined
      ? undefined
      : paidFacts(given, given.agent, {
          feeType: 'reissuance',
          name: 'reissuance',
          stated: ['fee.reissuance'],
        }),
  refusals: [
    {
      row: 'reissue-proof/SIGIL_REQUIRED',
      when: ({ agent }) => agent.depth === 0 && agent.sigil === null,
    },
    walletRequired('reissue-proof', () => false),
    paymentRequired('reissue-proof'),
    ...paymentInvalid('reissue-proof'),
    ...paymentUsed('reissue-proof'),
    ownSender('reissue-proof'),
  ],
  open: ({ agent }) =>
    agent.frozen !== false || !agent.started
      ? 'the text does not say whether an agent that is not active may reissue'
      : undefined,
  accepts: () => ['reissue-proof.reprint', 'reissue-proof.body.payment-tx'],
  accepted: (facts, given) => {
    judgeFee(given, facts);
    judgePassport(given, facts.agent, 'reissue-proof');
    judgeAlias(given, 'reissue-proof');
  },
};
