import { beatsSubmit } from '../../spec/endpoints/index.js';
import { beatsSubmit as credit } from '../registry/beats-submit.js';
import { hashOf } from '../registry/state.js';
import { weavableHash } from '../service.js';
import { reply, route } from './route.js';

/** POST /agent/beats/submit, 4.9. */
export const beatsSubmitRoute = route(beatsSubmit, ({ service, registry, agent, body: proof }) => {
  const done = credit(registry, { agent, proof, anchorHash: weavableHash(service, proof.global_anchor) });
  if (!done.ok) return done;
  const { totalBeats, latestBeat } = registry.agents.columns;
  return reply({
    ok: true,
    agent_hash: hashOf(registry, agent),
    beats_accepted: done.beatsAccepted,
    total_beats: totalBeats[agent]!,
    latest_beat_index: latestBeat[agent]!,
    global_anchor: proof.global_anchor,
    spot_checks_verified: done.spotChecksVerified,
  });
});
