/** Handler of GET /fees/summary (D-22). The reply is built in registry/fees-summary.ts. */

import { feesSummary } from '../../../spec/endpoints/index.js';
import { feesSummary as feesSummaryReply } from '../../registry/fees-summary.js';
import { reply, route } from '../request/route.js';

export const feesSummaryRoute = route(feesSummary, ({ service, registry, nowMs }) =>
  reply(feesSummaryReply(registry, service.paymentAddress, nowMs)),
);
