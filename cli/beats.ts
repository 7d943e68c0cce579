import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { computeChain } from '../reference/beats/beat.js';
import { checkWorkProof } from '../reference/beats/work-proof.js';
import { parseYaml } from '../spec/document.js';
import { type SpotCheck, type WorkProof, workProof } from '../spec/endpoints/proof-schemas.js';
import { CHAIN_HASH, ZERO_HASH } from '../spec/formats.js';
import { protocol } from '../spec/protocol.js';
import { EXIT, Failure } from './failure.js';
import { parsedOrFail, readText } from './files.js';
import { getJson, postJson } from './http-json.js';
import { progressBar } from './progress.js';

const chainOptions = {
  beats: { type: 'number', demandOption: true, describe: 'How many beats to compute' },
  'from-hash': { type: 'string', default: ZERO_HASH, describe: 'Hash of the beat before the first' },
  'from-beat': { type: 'number', default: 0, describe: 'Index of the beat before the first' },
  difficulty: { type: 'number', default: protocol.beat.difficulty, describe: 'Hash steps of a beat' },
} as const;

const beatsUrl = {
  'beats-url': { type: 'string', demandOption: true, describe: 'Base URL of a beats service' },
} as const;

type ChainFlags = InferredOptionTypes<typeof chainOptions>;

interface Run {
  readonly toBeat: number;
  readonly toHash: string;
  readonly checks: readonly SpotCheck[];
}

/** Computes beats in steps, so that a terminal sees them pass. `checks` of them, spread over the run, are kept. */
function compute(flags: ChainFlags, anchorHash: string | undefined, checks: number): Run {
  const { beats, difficulty, 'from-beat': fromBeat, 'from-hash': fromHash } = flags;
  for (const [name, value] of Object.entries({ beats, difficulty, 'from-beat': fromBeat })) {
    if (!Number.isSafeInteger(value) || value < (name === 'from-beat' ? 0 : 1)) {
      throw new Failure(`--${name} must be a whole number.`);
    }
  }
  if (!CHAIN_HASH.test(fromHash)) throw new Failure('--from-hash must be 64 lower-case hex characters.');
  // The first beat binds the run to its start, the last to its end.
  const share = (beats - 1) / Math.max(1, Math.min(checks, beats) - 1);
  const wanted = new Set(
    Array.from({ length: Math.min(checks, beats) }, (_, i) => fromBeat + 1 + Math.floor(i * share)),
  );
  const kept: SpotCheck[] = [];
  const bar = progressBar('beats', beats);
  let at = { index: fromBeat, hash: fromHash };
  while (at.index < fromBeat + beats) {
    const { toIndex, toHash, spotChecks } = computeChain({
      fromHash: at.hash,
      fromIndex: at.index,
      beats: 1,
      difficulty,
      anchorHash,
      keep: { every: 1 },
    });
    kept.push(...spotChecks.filter(({ index }) => wanted.has(index)));
    at = { index: toIndex, hash: toHash };
    bar.step('');
  }
  bar.stop();
  return { toBeat: at.index, toHash: at.hash, checks: kept };
}

const computeCommand: CommandModule<object, ChainFlags & { 'anchor-hash': string | undefined }> = {
  command: 'compute',
  describe: 'Compute a run of beats and print its end',
  builder: (args: Argv) =>
    args
      .options(chainOptions)
      .option('anchor-hash', { type: 'string', describe: 'Hash of the anchor that every beat weaves; absent: none' }),
  handler: (flags) => {
    const { toBeat, toHash } = compute(flags, flags['anchor-hash'], 1);
    console.log(JSON.stringify({ to_beat: toBeat, to_hash: toHash, beats_computed: flags.beats }));
  },
};

interface AnchorReply {
  readonly anchor: { readonly beat_index: number; readonly hash: string } | null;
}

/** Spot checks of a proof: enough for any verifier, and few enough (D-07). */
const CHECKS = 10;

const proveCommand: CommandModule<object, ChainFlags & { 'beats-url': string }> = {
  command: 'prove',
  describe: 'Compute beats that weave the latest anchor, and print their work proof',
  builder: (args: Argv) =>
    args
      .options({ ...chainOptions, ...beatsUrl })
      .example('$0 beats prove --beats-url http://127.0.0.1:8788 --beats 1000 --difficulty 100 > proof.json', ''),
  handler: async (flags) => {
    const { anchor } = (await getJson(`${flags['beats-url']}/api/v1/beat/anchor`)) as AnchorReply;
    if (anchor === null) throw new Failure('The beats service has issued no anchor yet.');
    const { toHash, checks } = compute(flags, anchor.hash, CHECKS);
    const proof: WorkProof = {
      from_hash: flags['from-hash'],
      to_hash: toHash,
      beats_computed: flags.beats,
      difficulty: flags.difficulty,
      anchor_hash: anchor.hash,
      anchor_index: anchor.beat_index,
      spot_checks: [...checks],
    };
    console.log(JSON.stringify(proof));
  },
};

function readProof(file: string): WorkProof {
  return parsedOrFail(parseYaml(readText(file, 'work proof'), file, workProof));
}

const submitCommand: CommandModule<object, { 'beats-url': string; file: string | undefined }> = {
  command: 'submit <file>',
  describe: 'Give a work proof to the beats service, and print the receipt',
  builder: (args: Argv) =>
    args.positional('file', { type: 'string', describe: 'What `aips beats prove` printed' }).options(beatsUrl),
  handler: async (flags) => {
    const body = { work_proof: readProof(flags.file as string) };
    const reply = (await postJson(`${flags['beats-url']}/api/v1/beat/work-proof`, body)) as Record<string, unknown>;
    if (reply['ok'] !== true) {
      console.error(`The beats service refuses the proof: ${String(reply['reason'] ?? reply['error'])}`);
      process.exitCode = EXIT.unclean;
      return;
    }
    const { receipt } = reply;
    console.log(typeof receipt === 'string' ? receipt : JSON.stringify(receipt));
  },
};

const verifyCommand: CommandModule<object, { file: string | undefined }> = {
  command: 'verify <file>',
  describe: 'Check a work proof here: exit 0 if it holds, 1 if not. Whether its anchor is a recent one is not asked',
  builder: (args: Argv) => args.positional('file', { type: 'string', describe: 'What `aips beats prove` printed' }),
  handler: ({ file }) => {
    const proof = readProof(file as string);
    const verdict = checkWorkProof(proof, { protocol, anchorHash: proof.anchor_hash });
    console.log(JSON.stringify(verdict.ok ? { valid: true } : { valid: false, reason: verdict.reason }));
    if (!verdict.ok) process.exitCode = EXIT.unclean;
  },
};

/** `aips beats compute | prove | submit | verify`. */
export const beatsCommand: CommandModule = {
  command: 'beats',
  describe: 'Compute beats, and prove, submit and verify work',
  builder: (args: Argv) =>
    args
      .command(computeCommand)
      .command(proveCommand)
      .command(submitCommand)
      .command(verifyCommand)
      .demandCommand(1, 'Say what to do: compute, prove, submit or verify.'),
  handler: () => undefined,
};
