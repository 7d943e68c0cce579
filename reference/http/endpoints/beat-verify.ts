import { beatsBeatVerify, beatVerify } from '../../../spec/endpoints/index.js';
import type { BeatProof, WorkProof } from '../../../spec/endpoints/proof-schemas.js';
import type { BeatCheck } from '../../beats/beat.js';
import { verifyBeats } from '../../beats/beat-verify.js';
import { checkBeatProof } from '../../beats/proof.js';
import { checkWorkProof } from '../../beats/work-proof.js';
import { type Service, weavableHash } from '../../service.js';
import { type Answer, type Call, reply, route } from '../request/route.js';

/** D-10: a well-formed question is answered with 200, whatever the verdict. */
function answer({ service, body, holds }: Pick<Call<typeof beatVerify>, 'service' | 'body' | 'holds'>): Answer {
  if (body.mode === 'proof') {
    const { valid, reason, checked } = proofVerdict(service, body.proof, body.difficulty, holds);
    return told('proof', valid, checked, reason);
  }
  const beats = body.mode === 'chain' ? body.beats : [body.beat];
  const { valid, beatsChecked, reason } = verifyBeats(beats, body.difficulty, holds);
  return told(body.mode, valid, beatsChecked, reason);
}

function told(mode: string, valid: boolean, checked: number, reason: string | undefined): Answer {
  const why = reason === undefined ? {} : { reason };
  return reply({ ok: true, mode, valid, beats_checked: checked, ...why });
}

/** A beat proof at the difficulty asked for, or a work proof at its own: held to what the services themselves ask for. */
function proofVerdict(service: Service, proof: BeatProof | WorkProof, difficulty: number, holds: BeatCheck) {
  const { protocol } = service.registry;
  const checked = proof.spot_checks.length;
  if ('from_beat' in proof) {
    const anchorHash = weavableHash(service, proof.global_anchor);
    const verdict = checkBeatProof(proof, { protocol, difficulty, anchorHash, holds });
    return { valid: verdict.ok, reason: verdict.ok ? undefined : verdict.reason, checked };
  }
  const anchorHash = weavableHash(service, proof.anchor_index);
  const verdict = checkWorkProof(proof, { protocol, anchorHash, holds });
  return { valid: verdict.ok, reason: verdict.ok ? undefined : verdict.reason, checked };
}

/** POST /beat/verify on the registry. */
export const beatVerifyRoute = route(beatVerify, answer, { recomputes: answer });
/** POST /beat/verify on the beats service. */
export const beatsBeatVerifyRoute = route(beatsBeatVerify, answer, { recomputes: answer });
