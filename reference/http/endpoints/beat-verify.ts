/**
 * Handler of POST /beat/verify on both services (D-10): recomputes beats, a chain or a proof. It changes nothing and
 * gives no receipt.
 */

import { beatsBeatVerify, beatVerify } from '../../../spec/endpoints/index.js';
import type { BeatProof, WorkProof } from '../../../spec/endpoints/proof-schemas.js';
import type { BeatCheck } from '../../beats/beat.js';
import { checkBeatProof } from '../../beats/beat-proof.js';
import { sampledPlaces, verifyBeats } from '../../beats/beat-verify.js';
import { checkShownBeats, checkWorkProof } from '../../beats/work-proof.js';
import { graceAnchorHash, hasGrace, type Service } from '../../service.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

/** D-10: answers any well-formed request with 200 and the verdict. */
function answer({
  service,
  body,
  checkBeat,
}: Pick<EndpointCall<typeof beatVerify>, 'service' | 'body' | 'checkBeat'>): HandlerResult {
  if (body.mode === 'proof') {
    const { valid, reason, checked } = proofVerdict(service, body.proof, body.difficulty, checkBeat);
    return verdictReply('proof', valid, checked, reason);
  }
  const beats = body.mode === 'chain' ? body.beats : [body.beat];
  const sampled = service.registry.dialect.beatVerify === 'sampled' && body.mode === 'chain';
  const places = sampled ? sampledPlaces(beats.length, asked(body)) : undefined;
  const { valid, beatsChecked, reason } = verifyBeats(beats, body.difficulty, checkBeat, places);
  return verdictReply(body.mode, valid, beatsChecked, reason);
}

/** D-57: how many beats of a chain are to be recomputed, if the body says so. */
function asked(body: object): number | undefined {
  return 'spot_checks' in body && typeof body.spot_checks === 'number' ? body.spot_checks : undefined;
}

function verdictReply(mode: string, valid: boolean, checked: number, reason: string | undefined): HandlerResult {
  const why = reason === undefined ? {} : { reason };
  return reply({ ok: true, mode, valid, beats_checked: checked, ...why });
}

/**
 * Checks a beat proof at the requested difficulty, or a work proof at its own, by the rules that the services apply to
 * them. D-57: where the dialect samples, the anchor may be of any age.
 */
function proofVerdict(service: Service, proof: BeatProof | WorkProof, difficulty: number, checkBeat: BeatCheck) {
  const { protocol, dialect } = service.registry;
  const ageless = dialect.beatVerify === 'sampled';
  const checked = proof.spot_checks.length;
  if ('from_beat' in proof) {
    const anchorHash = ageless ? proof.anchor_hash : graceAnchorHash(service, proof.global_anchor);
    const verdict = checkBeatProof(proof, { protocol, difficulty, anchorHash, checkBeat });
    return { valid: verdict.ok, reason: verdict.ok ? undefined : verdict.reason, checked };
  }
  if (dialect.workProofChecks === 'shown-beats') {
    const fresh = ageless || hasGrace(service, proof.anchor_index);
    const shown = checkShownBeats(proof, { protocol, fresh, checkBeat });
    return { valid: shown.ok, reason: shown.ok ? undefined : shown.reason, checked };
  }
  const anchorHash = graceAnchorHash(service, proof.anchor_index);
  const verdict = checkWorkProof(proof, { protocol, anchorHash, checkBeat });
  return { valid: verdict.ok, reason: verdict.ok ? undefined : verdict.reason, checked };
}

/** POST /beat/verify on the registry. */
export const beatVerifyRoute = route(beatVerify, answer, { recomputes: answer });
/** POST /beat/verify on the beats service. */
export const beatsBeatVerifyRoute = route(beatsBeatVerify, answer, { recomputes: answer });
