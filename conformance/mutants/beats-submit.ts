/** Mistakes of beats, and of proofs of them. */
import type { Mutant } from './mutant.js';

const beatsSubmitRules = 'reference/registry/beats-submit';
const beatProofBeats = 'reference/beats/beat-proof';
const spotChecksBeats = 'reference/beats/spot-checks';
const beatsSubmitEndpoint = 'reference/http/endpoints/beats-submit';
const proofSchemasSchema = 'spec/endpoints/proof-schemas';
const beatBeats = 'reference/beats/beat';

export const beatsSubmitMutants: readonly Mutant[] = [
  {
    id: 'beats-submit/unchecked',
    title: 'a proof is not checked',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: "if (!held.ok)\n        return refuse('beats-submit/PROOF_INVALID', held.reason);",
      after: '',
    },
  },
  {
    id: 'beats-submit/chain-unchecked',
    title: 'a proof may start anywhere',
    clause: 'proof.field.from-hash',
    patch: {
      file: beatsSubmitRules,
      before: 'return proof.from_beat === latestBeat[agent] && proof.from_hash === latestHash(registry, agent);',
      after: 'return proof.from_beat >= 0;',
    },
  },
  {
    id: 'beats-submit/from-hash-unchecked',
    title: 'from_hash is not checked',
    clause: 'proof.field.from-hash',
    patch: {
      file: beatsSubmitRules,
      before: 'return proof.from_beat === latestBeat[agent] && proof.from_hash === latestHash(registry, agent);',
      after: 'return proof.from_beat === latestBeat[agent];',
    },
  },
  {
    id: 'beats-submit/from-beat-unchecked',
    title: 'from_beat is not checked',
    clause: 'proof.field.from-beat',
    patch: {
      file: beatsSubmitRules,
      before: 'return proof.from_beat === latestBeat[agent] && proof.from_hash === latestHash(registry, agent);',
      after: 'return proof.from_hash === latestHash(registry, agent);',
    },
  },
  {
    id: 'beats-submit/not-credited',
    title: 'total_beats does not grow',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: 'columns.totalBeats[agent] = columns.totalBeats[agent] + proof.beats_computed;',
      after: 'void proof.beats_computed;',
    },
  },
  {
    id: 'beats-submit/total-is-latest',
    title: 'total_beats is that of the last proof',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: 'columns.totalBeats[agent] = columns.totalBeats[agent] + proof.beats_computed;',
      after: 'columns.totalBeats[agent] = proof.beats_computed;',
    },
  },
  {
    id: 'beats-submit/not-for-spawning',
    title: 'beats that were submitted do not count for spawning',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: 'columns.availableBeats[agent] = columns.availableBeats[agent] + proof.beats_computed;',
      after: 'void columns;',
    },
  },
  {
    id: 'beats-submit/hash-not-kept',
    title: 'the next proof starts at genesis again',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: 'registry.latestHashes.set(agent, proof.to_hash);',
      after: 'void proof.to_hash;',
    },
  },
  {
    id: 'beats-submit/is-life',
    title: 'a submission is a sign of life',
    clause: 'dms.freeze',
    patch: {
      file: beatsSubmitRules,
      before: 'extendChain(registry, agent, proof);\n    columns.availableBeats',
      after:
        'extendChain(registry, agent, proof);\n    line.setLastSyncAnchor(agent, registry.anchorIndex);\n    columns.availableBeats',
    },
  },
  {
    id: 'beats-submit/races',
    title: 'the latest beat is noted a moment later',
    clause: 'beats-submit.credit',
    patch: {
      file: beatsSubmitRules,
      before: 'columns.latestBeat[agent] = proof.to_beat;',
      after: 'setImmediate(() => { columns.latestBeat[agent] = proof.to_beat; });',
    },
  },
  {
    id: 'beats-submit/costs',
    title: 'a submission asks for a payment',
    clause: 'beats-submit.fee-free',
    patch: {
      file: beatsSubmitRules,
      before: 'if (line.status(agent) === REGISTERED)',
      after:
        "if (input.payment === undefined) return { ok: false, row: { status: 402, code: 'PAYMENT_REQUIRED', cause: 'payment_tx is missing' } };\n    if (line.status(agent) === REGISTERED)",
    },
  },
  {
    id: 'beats-submit/sigil-needed',
    title: 'a submission needs a SIGIL',
    clause: 'beats-submit.fee-free',
    patch: {
      file: beatsSubmitRules,
      before: 'if (line.status(agent) === REGISTERED)',
      after:
        "if (line.identityClass(agent) === 0) return { ok: false, row: { status: 403, code: 'SIGIL_REQUIRED', cause: 'no SIGIL' } };\n    if (line.status(agent) === REGISTERED)",
    },
  },
  {
    id: 'beats-submit/count-unchecked',
    title: 'beats_computed is believed',
    clause: 'proof.field.beats-computed',
    patch: {
      file: beatProofBeats,
      before: 'if (proof.beats_computed !== proof.to_beat - proof.from_beat)',
      after: 'if (proof.beats_computed < 0)',
    },
  },
  {
    id: 'beats-submit/count-at-least',
    title: 'beats_computed may be more than was done',
    clause: 'proof.field.beats-computed',
    patch: {
      file: beatProofBeats,
      before: 'if (proof.beats_computed !== proof.to_beat - proof.from_beat)',
      after: 'if (proof.beats_computed < proof.to_beat - proof.from_beat)',
    },
  },
  {
    id: 'beats-submit/count-inclusive',
    title: 'beats_computed counts both ends',
    clause: 'proof.field.beats-computed',
    patch: {
      file: beatProofBeats,
      before: 'if (proof.beats_computed !== proof.to_beat - proof.from_beat)',
      after: 'if (proof.beats_computed !== proof.to_beat - proof.from_beat + 1)',
    },
  },
  {
    id: 'beats-submit/anchor-hash-unchecked',
    title: 'anchor_hash is not checked',
    clause: 'proof.field.anchor-hash',
    patch: {
      file: beatProofBeats,
      before: 'if (proof.anchor_hash !== anchorHash)',
      after: "if (proof.anchor_hash === '')",
    },
  },
  {
    id: 'beats-submit/anchor-unknown-taken',
    title: 'an unknown anchor is accepted',
    clause: 'proof.field.global-anchor',
    patch: {
      file: beatProofBeats,
      before:
        "if (anchorHash === undefined)\n        return { ok: false, reason: 'stale_anchor' };\n    if (proof.anchor_hash !== anchorHash)",
      after: 'if (anchorHash !== undefined && proof.anchor_hash !== anchorHash)',
    },
  },
  {
    id: 'beats-submit/spot-checks-unhashed',
    title: 'spot checks are not hashed',
    clause: 'beat.step',
    patch: {
      file: spotChecksBeats,
      before: "return checks.every(shows) ? undefined : 'check_failed';",
      after: "return checks.length > 0 ? undefined : 'check_failed';",
    },
  },
  {
    id: 'beats-submit/first-spot-check',
    title: 'the first spot check is hashed',
    clause: 'beat.step',
    patch: {
      file: spotChecksBeats,
      before: "return checks.every(shows) ? undefined : 'check_failed';",
      after: "return checks.slice(0, 1).every(shows) ? undefined : 'check_failed';",
    },
  },
  {
    id: 'beats-submit/some-spot-check',
    title: 'one good spot check is enough',
    clause: 'beat.step',
    patch: {
      file: spotChecksBeats,
      before: "return checks.every(shows) ? undefined : 'check_failed';",
      after: "return checks.some(shows) ? undefined : 'check_failed';",
    },
  },
  {
    id: 'beats-submit/end-unchecked',
    title: 'the last beat need not be among the spot checks',
    clause: 'proof.field.spot-checks.end',
    patch: {
      file: spotChecksBeats,
      before: "if (sorted.at(-1)?.index !== run.toBeat)\n        return 'end_not_checked';",
      after: '',
    },
  },
  {
    id: 'beats-submit/end-hash-unchecked',
    title: 'to_hash is not compared with the last beat',
    clause: 'proof.field.to-hash',
    patch: {
      file: spotChecksBeats,
      before: "return sorted.at(-1)?.hash === run.toHash ? undefined : 'end_not_linked';",
      after: 'return undefined;',
    },
  },
  {
    id: 'beats-submit/start-unlinked',
    title: 'the first beat is not compared with from_hash',
    clause: 'beat.step',
    patch: {
      file: spotChecksBeats,
      before: 'if (first?.index === run.fromBeat + 1 && first.prev !== run.fromHash)',
      after: 'if (first?.index === run.fromBeat && first.prev !== run.fromHash)',
    },
  },
  {
    id: 'beats-submit/accepted-shown-as-total',
    title: 'beats_accepted is the total',
    clause: 'beats-submit.reply',
    patch: {
      file: beatsSubmitEndpoint,
      before: 'beats_accepted: done.beatsAccepted,',
      after: 'beats: done.beatsAccepted,',
    },
  },
  {
    id: 'beats-submit/latest-shown-late',
    title: 'latest_beat_index is one late',
    clause: 'beats-submit.reply.numbers',
    patch: {
      file: beatsSubmitEndpoint,
      before: 'latest_beat_index: latestBeat[agent],',
      after: 'latest_beat_index: String(latestBeat[agent]),',
    },
  },
  {
    id: 'beats-submit/from-beat-optional',
    title: 'from_beat may be left out',
    clause: 'proof.field.from-beat',
    patch: {
      file: proofSchemasSchema,
      before: 'export const beatProof = z.object({\n    from_beat: count,',
      after: 'export const beatProof = z.object({\n    from_beat: count.default(0),',
    },
  },
  {
    id: 'beats-submit/to-beat-optional',
    title: 'to_beat may be left out',
    clause: 'proof.field.to-beat',
    patch: { file: proofSchemasSchema, before: 'to_beat: count,', after: 'to_beat: count.default(6),' },
  },
  {
    id: 'beats-submit/spot-checks-without-prev',
    title: 'prev of a spot check must not be sent',
    clause: 'proof.field.spot-checks',
    patch: {
      file: proofSchemasSchema,
      before: 'export const spotCheck = z.object({ index: count, hash: chainHash, prev: chainHash,',
      after: 'export const spotCheck = z.object({ index: count, hash: chainHash, prev: z.string().max(10),',
    },
  },
  {
    id: 'beat/weave-forgotten',
    title: 'beats are not woven to the anchor',
    clause: 'proof.field.anchor-hash',
    patch: {
      file: beatBeats,
      before: "const woven = anchorHash === undefined || anchorHash === '' ? '' : `:${anchorHash}`;",
      after: "const woven = '';",
    },
  },
  {
    id: 'beat/prev-forgotten',
    title: 'a beat does not need the one before',
    clause: 'beat.step',
    patch: {
      file: beatBeats,
      before: 'return `${prev}:${index}:${nonce}${woven}`;',
      after: 'return `${prev.slice(0, 0)}:${index}:${nonce}${woven}`;',
    },
  },
  {
    id: 'beats-submit/body-renamed',
    title: 'a submission calls its anchor anchor_index',
    clause: 'beats-submit.body',
    patch: {
      file: proofSchemasSchema,
      before: 'global_anchor: count,\n    anchor_hash',
      after: 'anchor_index: count,\n    anchor_hash',
    },
  },
  {
    id: 'beats-submit/three-checked',
    title: 'no more than three spot checks are recomputed',
    clause: 'beat.step',
    patch: {
      file: spotChecksBeats,
      before: 'return checks.every(shows) ?',
      after: 'return checks.slice(0, 3).every(shows) ?',
    },
  },
  {
    id: 'beats-submit/count-of-first',
    title: 'the count of beats is compared on the first proof of a chain alone',
    clause: 'proof.field.beats-computed',
    patch: {
      file: beatProofBeats,
      before: 'if (proof.beats_computed !== proof.to_beat - proof.from_beat)',
      after: 'if (proof.from_beat === 0 && proof.beats_computed !== proof.to_beat - proof.from_beat)',
    },
  },
  {
    id: 'beats-submit/credits-the-parent',
    title: "the beats of a child count towards its parent's next child",
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/beats-submit',
      before: 'columns.availableBeats[agent] = columns.availableBeats[agent] + proof.beats_computed;',
      after:
        'const to = columns.parent[agent] >= 0 ? columns.parent[agent] : agent;\n    columns.availableBeats[to] = columns.availableBeats[to] + proof.beats_computed;',
    },
  },
  {
    id: 'beats-submit/end-comes-last',
    title: 'the spot check of to_beat has to be the last of the list',
    clause: 'proof.field.spot-checks.end',
    patch: {
      file: 'reference/beats/beat-proof',
      before: '        return { ok: false, reason };\n    return { ok: true,',
      after:
        "        return { ok: false, reason };\n    if (proof.spot_checks.at(-1)?.index !== proof.to_beat)\n        return { ok: false, reason: 'end_not_checked' };\n    return { ok: true,",
    },
  },
  {
    id: 'beats-submit/last-counts-alone',
    title: 'what is submitted takes the place of what counted for spawning before',
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/beats-submit',
      before: 'columns.availableBeats[agent] = columns.availableBeats[agent] + proof.beats_computed;',
      after: 'columns.availableBeats[agent] = proof.beats_computed;',
    },
  },
  {
    id: 'beats-submit/gone-by-purchase',
    title: 'a purchase takes the beats that were credited',
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/sigil',
      before: '    columns.sigilAtBeat[agent] = currentBeat(registry);',
      after: '    columns.sigilAtBeat[agent] = currentBeat(registry);\n    columns.totalBeats[agent] = 0;',
    },
  },
  {
    id: 'beats-submit/later-from-hash',
    title: 'from the second submission on a proof starts from any hash',
    clause: 'proof.field.from-hash',
    patch: {
      file: 'reference/registry/beats-submit',
      before: 'proof.from_hash === latestHash(registry, agent);',
      after: '(registry.latestHashes.has(agent) || proof.from_hash === latestHash(registry, agent));',
    },
  },
  {
    id: 'beats-submit/ethereum',
    title: 'an agent with an Ethereum wallet submits no beats',
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/beats-submit',
      before: '    if (!continuesChain(registry, agent, proof))',
      after:
        "    if (columns.walletChain[agent] === 1 && line.wallet(agent) >= 0)\n        return refuse('beats-submit/CHAIN_MISMATCH');\n    if (!continuesChain(registry, agent, proof))",
    },
  },
  {
    id: 'beats-submit/not-when-accused',
    title: 'whoever has a sustained complaint submits no beats',
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/beats-submit',
      before: '    if (!continuesChain(registry, agent, proof))',
      after:
        "    if (line.complaints(agent) > 0)\n        return refuse('beats-submit/AGENT_FROZEN');\n    if (!continuesChain(registry, agent, proof))",
    },
  },
  {
    id: 'beats-submit/checks-without-prev',
    title: 'spot checks of submitted beats without prev are taken unseen',
    clause: 'proof.field.spot-checks',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'hash: chainHash, prev: chainHash, nonce',
      after: 'hash: chainHash, prev: chainHash.optional(), nonce',
      also: [
        {
          file: 'reference/beats/spot-checks',
          before: 'check.index === before.index + 1 && check.prev !== before.hash)',
          after: 'check.index === before.index + 1 && check.prev !== undefined && check.prev !== before.hash)',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'const shows = ({ index, hash: claimed, prev, nonce }) => ',
          after: 'const shows = ({ index, hash: claimed, prev, nonce }) => prev === undefined || ',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'first.prev !== run.fromHash)',
          after: 'first.prev !== undefined && first.prev !== run.fromHash)',
        },
      ],
    },
  },
  {
    id: 'beats-submit/checks-without-hash',
    title: 'spot checks of submitted beats without a hash are taken unseen',
    clause: 'proof.field.spot-checks',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'index: count, hash: chainHash, prev',
      after: 'index: count, hash: chainHash.optional(), prev',
      also: [
        {
          file: 'reference/beats/spot-checks',
          before: 'check.index === before.index + 1 && check.prev !== before.hash)',
          after: 'check.index === before.index + 1 && before.hash !== undefined && check.prev !== before.hash)',
        },
        {
          file: 'reference/beats/spot-checks',
          before: 'const shows = ({ index, hash: claimed, prev, nonce }) => ',
          after: 'const shows = ({ index, hash: claimed, prev, nonce }) => claimed === undefined || ',
        },
      ],
    },
  },
  {
    id: 'beats-submit/ends-coerced',
    title: 'digits are taken for from_beat and to_beat',
    clause: 'proof.field.from-beat',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: '    from_beat: count,\n    to_beat: count,',
      after: '    from_beat: z.coerce.number().int().min(0),\n    to_beat: z.coerce.number().int().min(0),',
    },
  },
  {
    id: 'beats-submit/count-coerced',
    title: 'digits are taken for beats_computed of a submission',
    clause: 'proof.field.beats-computed',
    patch: {
      file: 'spec/endpoints/proof-schemas',
      before: 'beats_computed: count,\n    global_anchor',
      after: 'beats_computed: z.coerce.number().int().min(0),\n    global_anchor',
    },
  },
];
