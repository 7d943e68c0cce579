/** The clauses of sections 4 and 4.1: conventions of requests, and which endpoints there are. */

import type { Clause } from '../clause.js';
import { endpoints } from '../endpoints/index.js';
import { musts } from './rows.js';

const paths = new Map(endpoints.map(({ id, path }) => [id, path]));

/** The row of a route: `sponsor.route.get` is that of the endpoint `sponsor.get`. */
function endpointRow(id: string): string {
  return `table of endpoints, row ${paths.get(id.replace('.route', ''))}`;
}

const intro = musts('4', 'paragraph “All requests with a body”', {
  'convention.content-type': 'Every request that has a body is sent as Content-Type application/json.',
  'convention.bearer': 'A credential travels as Authorization: Bearer <key> unless the endpoint states otherwise.',
});

const routes = musts('4.1', endpointRow, {
  'register.route':
    'POST /api/v1/register exists and takes no credential, a registration secret or token (root), or the parent key (child).',
  'register-token.route': 'POST /api/v1/register/token exists and needs no credential.',
  'init.route': 'POST /api/v1/agent/init exists and takes the agent key.',
  'heartbeat.route': 'POST /api/v1/agent/heartbeat exists and takes the agent key.',
  'sigil.route': 'POST /api/v1/sigil exists and takes the agent key.',
  'reissue-proof.route': 'POST /api/v1/agent/reissue-proof exists and takes the agent key.',
  'spawn.route': 'POST /api/v1/agent/spawn exists and takes the parent key.',
  'beats-submit.route': 'POST /api/v1/agent/beats/submit exists and takes the agent key.',
  'resync.route': 'POST /api/v1/agent/resync exists and takes the agent key.',
  'metadata.route': 'PATCH /api/v1/agent/metadata exists and takes the agent key.',
  'wallet.route': 'POST /api/v1/agent/wallet exists and takes the agent key.',
  'passport.route': 'GET /api/v1/agent/passport exists and takes the agent key.',
  'sponsor.route.post': 'POST /api/v1/agent/sponsor exists and takes the parent key.',
  'sponsor.route.delete': 'DELETE /api/v1/agent/sponsor exists and takes the parent key.',
  'sponsor.route.get': 'GET /api/v1/agent/sponsor exists and takes the parent key.',
  'flag.route': 'POST /api/v1/agent/flag exists and takes the agent key.',
  'checkin.route': 'POST /api/v1/agent/checkin still exists, as a retired route that is listed with the agent key.',
  'verify-batch.route': 'POST /api/v1/verify/batch exists and needs no credential.',
  'status.route': 'GET /api/v1/status/:hash exists and needs no credential.',
  'verify.route': 'GET /api/v1/verify/:hash exists and needs no credential.',
  'beat-status.route': 'GET /api/v1/agent/beat-status/:hash exists and needs no credential.',
  'beat-anchor.route': 'GET /api/v1/beat/anchor exists and needs no credential.',
  'beat-verify.route': 'POST /api/v1/beat/verify exists and needs no credential.',
  'authority-key.route': 'GET /api/v1/.well-known/authority-key exists and needs no credential.',
  'fees-summary.route': 'GET /api/v1/fees/summary exists and needs no credential.',
  'subsidy.route.post': 'POST /api/v1/admin/agent/subsidy exists and takes an admin key.',
  'subsidy.route.delete': 'DELETE /api/v1/admin/agent/subsidy exists and takes an admin key.',
  'partner-webhook.route.put': 'PUT /api/v1/partner/webhook exists and takes a partner key.',
  'partner-webhook.route.get': 'GET /api/v1/partner/webhook exists and takes a partner key.',
  'partner-webhook.route.delete': 'DELETE /api/v1/partner/webhook exists and takes a partner key.',
});

const purposes = [
  ...musts('4.1', 'paragraph “Request and response shapes of the public lookups”', {
    'status.purpose': 'The status lookup returns the status of the agent that its path names.',
    'verify.purpose': 'The verify lookup gives the full verification of one agent, lineage included.',
    'beat-status.purpose': 'The beat-status lookup returns the state of the beat chain of one agent.',
    'beat-anchor.purpose': 'The anchor lookup gives the latest global anchor.',
    'beat-verify.purpose': 'The beat-verify call judges a proof of a sequential hash chain.',
    'authority-key.purpose': 'The authority-key lookup publishes the Ed25519 public key of the registry authority.',
    'fees-summary.purpose': 'The fees summary gives the current fee schedule.',
  }),
  ...musts('4.1', 'paragraph “Response shape of GET /agent/passport”', {
    'passport.purpose': 'GET /agent/passport returns a signed passport.',
  }),
];

/** Section 4 up to 4.1: how requests travel, and the endpoints method by method. */
export const section4Routes: readonly Clause[] = [...intro, ...routes, ...purposes];
