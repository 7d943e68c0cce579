/** Handler of POST /agent/beats/submit (4.9). Which proofs are credited is decided in registry/beats-submit.ts. */

import { beatsSubmit } from '../../../spec/endpoints/index.js';
import { beatsSubmit as beatsSubmitRule, checkChainProof, type ProvenBeats } from '../../registry/beats-submit.js';
import { hashOf } from '../../registry/state.js';
import { graceAnchorHash } from '../../service.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

export const beatsSubmitRoute = route(beatsSubmit, submit, {
  recomputes: (call) => checkChainProof(call.registry, proven(call)),
});

function proven({ service, body: proof, checkBeat }: EndpointCall<typeof beatsSubmit>): ProvenBeats {
  return { proof, anchorHash: graceAnchorHash(service, proof.global_anchor), checkBeat };
}

function submit(call: EndpointCall<typeof beatsSubmit>): HandlerResult {
  const { registry, agent, body: proof } = call;
  const done = beatsSubmitRule(registry, { agent, ...proven(call) });
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
}
