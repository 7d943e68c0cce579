/** Handlers of POST, DELETE and GET /agent/sponsor (4.13). The rules are in registry/sponsor.ts. */

import { sponsorDelete, sponsorGet, sponsorPost } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import type { Sponsorship } from '../../registry/columns/records.js';
import { sponsor, sponsorshipStatus, sponsorshipsOf, unsponsor, usedInEpoch } from '../../registry/sponsor.js';
import { hashOf, type Registry, rowOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

/** 2.10 without created_at, which only listings show (D-48). */
function sponsorshipView(registry: Registry, given: Sponsorship, nowMs: number) {
  return {
    parent_hash: hashOf(registry, given.parent),
    child_hash: hashOf(registry, given.child),
    status: sponsorshipStatus(given, nowMs),
    max_heartbeats_epoch: given.heartbeatsEpochMax,
    heartbeats_used_epoch: usedInEpoch(registry, given),
    expires_at: given.expiresAtMs === null ? null : isoOf(given.expiresAtMs),
  };
}

/** POST /agent/sponsor, 4.13. */
export const sponsorPostRoute = route(sponsorPost, ({ registry, agent, body, nowMs }) => {
  const { max_heartbeats_epoch: heartbeatsEpochMax, expires_in_hours: expiresInHours } = body;
  const child = rowOf(registry, body.child_hash.toLowerCase());
  const done = sponsor(registry, { agent, child, heartbeatsEpochMax, expiresInHours }, nowMs);
  return done.ok ? reply({ ok: true, sponsorship: sponsorshipView(registry, done.sponsorship, nowMs) }) : done;
});

/** DELETE /agent/sponsor, 4.13. */
export const sponsorDeleteRoute = route(sponsorDelete, ({ registry, agent, body, nowMs }) => {
  const done = unsponsor(registry, { agent, child: rowOf(registry, body.child_hash.toLowerCase()) }, nowMs);
  return done.ok ? reply({ ok: true, revoked: true }) : done;
});

/** GET /agent/sponsor, 4.13. */
export const sponsorGetRoute = route(sponsorGet, ({ registry, agent, nowMs }) =>
  reply({
    ok: true,
    sponsorships: sponsorshipsOf(registry, agent).map((given) => ({
      ...sponsorshipView(registry, given, nowMs),
      created_at: isoOf(given.createdAtMs),
    })),
  }),
);
