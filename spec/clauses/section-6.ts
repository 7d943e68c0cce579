/** The clauses of section 6: events and their delivery. */

import type { Clause } from '../clause.js';
import { musts } from './rows.js';

/** Section 6: events, then the delivery rules. */
export const section6: readonly Clause[] = [
  ...musts('6', 'paragraph “Partners receive webhook deliveries”', {
    'event.scope': 'A partner gets deliveries for the agents under it and for no others.',
  }),
  ...musts('6', 'table of events, row sigil.purchased', {
    'event.sigil-purchased': 'sigil.purchased is sent when an agent under the partner buys a SIGIL.',
  }),
  ...musts('6', 'table of events, row heartbeat.recorded', {
    'event.heartbeat-recorded': 'heartbeat.recorded is sent when an agent under the partner sends a heartbeat.',
  }),
  ...musts('6', 'table of events, row agent.frozen', {
    'event.agent-frozen': 'agent.frozen is sent when the DMS freezes an agent under the partner.',
  }),
  ...musts('6', 'table of events, row agent.unfrozen', {
    'event.agent-unfrozen':
      'agent.unfrozen is sent when an agent under the partner becomes active again through resync.',
  }),
  ...musts('6', 'delivery rule 1', {
    'delivery.post': 'A delivery is an HTTP POST to the HTTPS url that was configured.',
    'delivery.subscribed': 'A delivery is made only for an event that was subscribed to.',
  }),
  ...musts('6', 'delivery rule 2', {
    'delivery.signature.header': 'A delivery carries the header x-service-signature with sha256=<hex_hmac>.',
    'delivery.signature.value':
      'The value of the delivery signature is HMAC-SHA256 of the request body under webhook_secret.',
  }),
  ...musts('6', 'delivery rule 3', {
    'delivery.timeout': 'A delivery that is not answered within 3 seconds has failed.',
    'delivery.dead-letter': 'A failed delivery goes to a dead-letter queue and is tried again.',
  }),
  ...musts('6', 'delivery rule 4', {
    'delivery.secret.generated': 'The server makes the webhook_secret, 32 bytes in hex.',
    'delivery.secret.only-put': 'PUT alone returns the webhook_secret.',
  }),
];
