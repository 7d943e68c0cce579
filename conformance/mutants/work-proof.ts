/** Mistakes planted in work proofs and the receipts for them. */
import type { Mutant } from './mutant.js';

const proofSchemasSchema = 'spec/endpoints/proof-schemas';
const workProofBeats = 'reference/beats/work-proof';
const workProofEndpoint = 'reference/http/endpoints/work-proof';
const workProofSchema = 'spec/endpoints/work-proof';

export const workProofMutants: readonly Mutant[] = [
  {
    id: 'work-proof/difficulty-text',
    title: 'difficulty of a work proof is a text',
    clause: 'work-proof.field.difficulty',
    patch: {
      file: proofSchemasSchema,
      before: 'beats_computed: count,\n    difficulty: count,\n    anchor_index',
      after: 'beats_computed: count,\n    difficulty: z.string(),\n    anchor_index',
    },
  },
  {
    id: 'work-proof/anchor-index-renamed',
    title: 'anchor_index of a work proof is global_anchor',
    clause: 'work-proof.field.anchor-index',
    patch: {
      file: proofSchemasSchema,
      before: 'difficulty: count,\n    anchor_index: count,\n    spot_checks',
      after: 'difficulty: count,\n    global_anchor: count,\n    spot_checks',
    },
  },
  {
    id: 'work-proof/anchor-hash-unchecked',
    title: 'anchor_hash of a work proof is not checked',
    clause: 'work-proof.field.anchor-hash',
    patch: {
      file: workProofBeats,
      before: 'if (anchorHash === undefined || proof.anchor_hash !== anchorHash)',
      after: 'if (anchorHash === undefined)',
    },
  },
  {
    id: 'work-proof/anchor-unchecked',
    title: 'anchor_index of a work proof is not checked',
    clause: 'work-proof.field.anchor-index',
    patch: {
      file: workProofBeats,
      before: 'if (anchorHash === undefined || proof.anchor_hash !== anchorHash)',
      after: "if (proof.anchor_hash === '')",
    },
  },
  {
    id: 'work-proof/always-valid',
    title: 'every work proof gets a receipt',
    clause: 'service.beats.proven',
    patch: {
      file: workProofBeats,
      before: 'return fault === undefined ? { ok: true } : failed(REASONS[fault]);',
      after: "return fault === undefined || fault !== '' ? { ok: true } : failed(REASONS[fault]);",
    },
  },
  {
    id: 'work-proof/receipt-unsigned',
    title: 'a receipt is not signed',
    clause: 'spawn.flow.receipt',
    patch: {
      file: workProofEndpoint,
      before: 'valid: true, receipt })',
      after:
        "valid: true, receipt: receiptInForm({ ...signed, signature: signed.signature.replace(/^../, 'AA') }, dialect.receiptForm) })",
    },
  },
  {
    id: 'work-proof/receipt-nested',
    title: 'the receipt is nested in an object',
    clause: 'work-proof.reply.receipt',
    patch: {
      file: workProofEndpoint,
      before: 'valid: true, receipt })',
      after: 'valid: true, data: { receipt } })',
    },
  },
  {
    id: 'work-proof/no-receipt',
    title: 'a work proof gets no receipt',
    clause: 'work-proof.reply.receipt',
    patch: {
      file: workProofEndpoint,
      before: 'valid: true, receipt })',
      after: 'valid: true, accepted: receipt })',
    },
  },
  {
    id: 'work-proof/receipt-of-one-beat',
    title: 'a receipt tells of one beat',
    clause: 'service.beats.spawn',
    patch: { file: workProofEndpoint, before: 'beats_verified: proof.beats_computed,', after: 'beats_verified: 1,' },
  },
  {
    id: 'work-proof/body-flat',
    title: 'a work proof is sent without work_proof',
    clause: 'work-proof.body',
    patch: {
      file: workProofSchema,
      before: '.union([z.object({ work_proof: proof }), proof], ',
      after: '.union([proof, proof], ',
    },
  },
  {
    id: 'work-proof/from-hash-renamed',
    title: 'from_hash of a work proof is start_hash',
    clause: 'work-proof.field.from-hash',
    patch: {
      file: proofSchemasSchema,
      before: 'const unwoven = z.object({\n    from_hash: chainHash,',
      after: 'const unwoven = z.object({\n    start_hash: chainHash,',
    },
  },
  {
    id: 'work-proof/to-hash-renamed',
    title: 'to_hash of a work proof is end_hash',
    clause: 'work-proof.field.to-hash',
    patch: {
      file: proofSchemasSchema,
      before: 'const unwoven = z.object({\n    from_hash: chainHash,\n    to_hash: chainHash,',
      after: 'const unwoven = z.object({\n    from_hash: chainHash,\n    end_hash: chainHash,',
    },
  },
  {
    id: 'work-proof/count-renamed',
    title: 'beats_computed of a work proof is beats',
    clause: 'work-proof.field.beats-computed',
    patch: {
      file: proofSchemasSchema,
      before: 'beats_computed: count,\n    difficulty: count,\n',
      after: 'beats: count,\n    difficulty: count,\n',
    },
  },
  {
    id: 'work-proof/spot-checks-as-object',
    title: 'spot_checks of a work proof is an object',
    clause: 'work-proof.field.spot-checks',
    patch: {
      file: proofSchemasSchema,
      before: 'anchor_index: count,\n    spot_checks: z.array(spotCheck),',
      after: 'anchor_index: count,\n    spot_checks: z.record(z.string(), spotCheck),',
    },
  },
  {
    id: 'work-proof/issues-none',
    title: 'the beats service takes work proofs and issues no receipt for any',
    clause: 'service.beats-service',
    patch: {
      file: 'reference/http/endpoints/work-proof',
      before: '    if (!verdict.ok)\n        return reply(',
      after:
        '    if (verdict.ok)\n        return reply({ ok: true, valid: true });\n    if (!verdict.ok)\n        return reply(',
    },
  },
  {
    id: 'work-proof/more-than-there-are',
    title: 'a receipt counts more beats than there are up to the last one shown',
    clause: 'work-proof.field.beats-computed',
    patch: {
      file: 'reference/beats/work-proof',
      before: '    if (!(beats >= 1 && fromBeat + 1 >= 0))',
      after: '    if (!(beats >= 1))',
    },
  },
  {
    id: 'work-proof/checks-without-prev',
    title: 'spot checks without prev are taken unseen',
    clause: 'work-proof.field.spot-checks',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'export function workProofSent({ protocol, dialect }) {',
      after:
        'const looseCheck = spotCheck.extend({ prev: chainHash.optional() });\nexport function workProofSent({ protocol, dialect }, { loose = false } = {}) {\n    const check = loose ? looseCheck : spotCheck;',
      also: [
        {
          file: 'spec/endpoints/proof-schemas',
          before: "const woven = dialect.workProofChecks === 'shown-beats' ? wholeWorkProof : workProof;",
          after:
            "const woven = (dialect.workProofChecks === 'shown-beats' ? wholeWorkProof : workProof).extend({ spot_checks: z.array(check) });",
        },
        {
          file: 'spec/endpoints/proof-schemas',
          before: 'spot_checks: z.array(spotCheck).min(1)',
          after: 'spot_checks: z.array(check).min(1)',
        },
        {
          file: 'spec/endpoints/work-proof',
          before: 'const proof = workProofSent(facts);',
          after: 'const proof = workProofSent(facts, { loose: true });',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'if (first?.index === run.fromBeat + 1 && first.prev !== run.fromHash)',
          after: 'if (first?.index === run.fromBeat + 1 && first.prev !== undefined && first.prev !== run.fromHash)',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'check.index === before.index + 1 && check.prev !== before.hash)',
          after: 'check.index === before.index + 1 && check.prev !== undefined && check.prev !== before.hash)',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'const shows = ({ index, hash: claimed, prev, nonce }) => checkBeat(',
          after: 'const shows = ({ index, hash: claimed, prev, nonce }) => prev === undefined || checkBeat(',
        },
        {
          file: 'reference/beats/work-proof',
          before: 'checks.every(({ index, hash, prev, nonce }) => checkBeat(',
          after: 'checks.every(({ index, hash, prev, nonce }) => prev === undefined || checkBeat(',
        },
      ],
    },
  },
  {
    id: 'work-proof/count-coerced',
    title: 'digits are taken for beats_computed of a work proof',
    clause: 'work-proof.field.beats-computed',
    patch: {
      file: 'spec/endpoints/work-proof',
      before: 'const proof = workProofSent(facts);',
      after:
        "const sent = workProofSent(facts);\n        const numeric = (value) => (typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value);\n        const proof = sent.extend({ beats_computed: z.preprocess(numeric, sent.shape.beats_computed) });",
    },
  },
  {
    id: 'work-proof/anchor-coerced',
    title: 'digits are taken for anchor_index of a work proof',
    clause: 'work-proof.field.anchor-index',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'anchor_index: count,\n    spot_checks: z.array(spotCheck),\n});\nconst whole',
      after: 'anchor_index: z.coerce.number().int().min(0),\n    spot_checks: z.array(spotCheck),\n});\nconst whole',
    },
  },
  {
    id: 'work-proof/index-coerced',
    title: 'digits are taken for the index of a spot check',
    clause: 'work-proof.field.spot-checks',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'index: count, hash',
      after: 'index: z.coerce.number().int().min(0), hash',
    },
  },
];
