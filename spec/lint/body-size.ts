/** Lint: permitted lists and texts that do not fit into the largest permitted body. */

import type { Protocol } from '../protocol.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { shown } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

/** Bytes around a hash in JSON: `"0x`, `"` and a comma. */
const HASH_MORE_BYTES = 5;
/** Bytes of the shortest beat in JSON: index, hash and prev, with a comma. */
const BEAT_BYTES = 161;
/** Bytes around a text in JSON: its key, quotes and a comma, at least. */
const TEXT_MORE_BYTES = 10;

interface Content {
  readonly id: string;
  readonly text: string;
  readonly bytes: number;
  readonly body: 'bytesMax' | 'proofBytesMax';
  readonly clauses: readonly string[];
}

/** The largest contents of bodies, by their shortest spelling in JSON. */
function contents({ verifyBatch, agent, flag, metadata, sigil, proof, beatVerify }: Protocol): readonly Content[] {
  const hashBytes = 2 * agent.hashBytes + HASH_MORE_BYTES;
  const tools = metadata.toolsMax * (metadata.toolCharsMax + 3);
  const modality = metadata.modalityWordsMax * (metadata.modalityCharsMax + 1);
  const names = agent.nameCharsMax + sigil.nameCharsMax + sigil.principalCharsMax;
  return [
    {
      id: 'verify-batch',
      text: `${shown(verifyBatch.hashesMax)} hashes × ${shown(hashBytes)} bytes`,
      bytes: verifyBatch.hashesMax * hashBytes,
      body: 'bytesMax',
      clauses: ['verify-batch.body.hashes', 'error.body-too-large'],
    },
    {
      id: 'flag',
      text: `a reason of ${shown(flag.reasonCharsMax)} characters`,
      bytes: flag.reasonCharsMax + hashBytes + 3 * TEXT_MORE_BYTES,
      body: 'bytesMax',
      clauses: ['flag.body.reason', 'error.body-too-large'],
    },
    {
      id: 'metadata',
      text: `two texts of ${shown(metadata.textCharsMax)} characters, ${shown(metadata.toolsMax)} tools and ${shown(metadata.modalityWordsMax)} words of modality`,
      bytes: 2 * metadata.textCharsMax + tools + modality + 4 * TEXT_MORE_BYTES,
      body: 'bytesMax',
      clauses: ['metadata.field.substrate-model', 'metadata.field.tools', 'error.body-too-large'],
    },
    {
      id: 'names',
      text: `a name of ${shown(agent.nameCharsMax)} characters, a SIGIL's of ${shown(sigil.nameCharsMax)} and a principal of ${shown(sigil.principalCharsMax)}`,
      bytes: names + 3 * TEXT_MORE_BYTES,
      body: 'bytesMax',
      clauses: ['name.length', 'name.sigil.custom', 'error.body-too-large'],
    },
    {
      id: 'spot-checks',
      text: `${shown(proof.spotChecksMax)} spot checks × ${shown(BEAT_BYTES)} bytes`,
      bytes: proof.spotChecksMax * BEAT_BYTES,
      body: 'proofBytesMax',
      clauses: ['proof.spot-checks.max', 'error.body-too-large.proofs'],
    },
    {
      id: 'chain',
      text: `a chain of ${shown(beatVerify.chainBeatsMax)} beats × ${shown(BEAT_BYTES)} bytes`,
      bytes: beatVerify.chainBeatsMax * BEAT_BYTES,
      body: 'proofBytesMax',
      clauses: ['beat-verify.mode.chain', 'error.body-too-large.proofs'],
    },
  ];
}

function find({ protocol }: LintFacts): readonly Finding[] {
  return contents(protocol)
    .filter(({ bytes, body }) => bytes > protocol.body[body])
    .map(({ id, text, bytes, body, clauses }) => ({
      id: `body-size/${id}`,
      severity: 'error',
      clauses,
      arithmetic: `${text} take ${shown(bytes)} bytes at least, and body.${body} is ${shown(protocol.body[body])}: the greatest that is permitted is refused for its size`,
      harm: bytes / protocol.body[body],
      remedy: eitherOf(setTo(`body.${body}`, 'of at least', bytes), 'less of the other'),
    }));
}

export const bodySize: LintRule = {
  kind: 'body-size',
  says: 'A permitted list or text that does not fit into any permitted body.',
  find,
};
