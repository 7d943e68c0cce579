/**
 * `aips tools beats compute | prove | submit | verify`: flags and output. Beats are computed in beat-run.ts, and a service is
 * asked in beats-service.ts.
 */

import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { z } from 'zod';
import { checkBeatProof } from '../../reference/beats/beat-proof.js';
import { checkWorkProof } from '../../reference/beats/work-proof.js';
import { oneLine } from '../../results/visible.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { parseYaml } from '../../spec/document.js';
import { type BeatProof, beatProof, type WorkProof, workProof } from '../../spec/endpoints/proof-schemas.js';
import { CHAIN_HASH, withoutTrailing, ZERO_HASH } from '../../spec/formats.js';
import { protocol } from '../../spec/protocol.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { type BeatRun, computeRun, type FinishedRun, spreadIndexes } from './beat-run.js';
import { type Anchor, currentAnchor, type ProofTerms, proofTerms, submitProof } from './beats-service.js';

const difficultyOption = {
  difficulty: { type: 'number', default: protocol.beat.difficulty, describe: 'Hash steps of a beat' },
} as const;

const chainOptions = {
  beats: { type: 'number', demandOption: true, describe: 'Number of beats to compute' },
  from: { type: 'string', default: `0:${ZERO_HASH}`, describe: 'Index and hash of the beat before the first' },
  ...difficultyOption,
  ...json,
} as const;

const beatsUrl = {
  'beats-url': { type: 'string', demandOption: true, describe: 'Base URL of a beats service' },
} as const;

/** The base of a URL that may be that of the service's routes, /api/v1, and end with slashes. */
function baseOf(url: string): string {
  // `--no-beats-url` makes it false.
  return withoutTrailing(String(url), '/').replace(/\/api\/v1$/, '');
}

type ChainFlags = InferredOptionTypes<typeof chainOptions>;

/** The run that flags ask for. Failure for a bad number or hash. */
function readRun({ beats, difficulty, from }: ChainFlags): Omit<BeatRun, 'keep'> {
  requireWhole(beats, '--beats');
  requireWhole(difficulty, '--difficulty');
  const [, index = '', fromHash = ''] = /^(\d+):(.*)$/s.exec(from) ?? [];
  const fromBeat = index === '' ? Number.NaN : Number(index);
  if (!Number.isSafeInteger(fromBeat)) throw new Failure('--from must have the form INDEX:HASH, such as 1000:6f1e…');
  if (!Number.isSafeInteger(fromBeat + beats)) throw new Failure('--from and --beats are too large together.');
  return { beats, difficulty, fromBeat, fromHash: readHash('from', fromHash) };
}

function readHash(flag: string, hash: string): string {
  if (!CHAIN_HASH.test(hash)) throw new Failure(`--${flag} must be 64 lower-case hex characters.`);
  return hash;
}

const computeCommand: CommandModule<object, ChainFlags & { 'anchor-hash': string | undefined }> = {
  command: 'compute',
  describe: 'Compute a run of beats and print its end',
  builder: (args: Argv) =>
    args
      .options(chainOptions)
      .option('anchor-hash', { type: 'string', describe: 'Hash of the anchor that every beat weaves; absent: none' })
      .example('$0 tools beats compute --beats 1000', 'from 64 zeros, at difficulty 1000'),
  handler: (flags) => {
    const given = flags['anchor-hash'];
    const anchorHash = given === undefined ? undefined : readHash('anchor-hash', given);
    const run = readRun(flags);
    const { toBeat, toHash, wallSec, beatsPerSec } = computeRun({ ...run, anchorHash, keep: [] });
    const perSec = Math.round(beatsPerSec);
    if (flags.json) {
      const end = { to_beat: toBeat, to_hash: toHash, beats_computed: run.beats, difficulty: run.difficulty };
      console.log(JSON.stringify({ ...end, wall_s: Number(wallSec.toFixed(3)), beats_per_s: perSec }));
      return;
    }
    console.log(`beat ${toBeat}  ${toHash}`);
    console.log(`${run.beats} beats at difficulty ${run.difficulty}, ${perSec} beats/s`);
  },
};

const proveOptions = {
  ...chainOptions,
  ...beatsUrl,
  form: {
    choices: ['work', 'beat'] as const,
    default: 'work' as const,
    describe: "work: for a receipt of the beats service. beat: for beats/submit and resync, of an agent's own chain",
  },
} as const;

const proveCommand: CommandModule<object, InferredOptionTypes<typeof proveOptions>> = {
  command: 'prove',
  describe: 'Compute beats that weave the latest anchor, and print their proof as JSON',
  builder: (args: Argv) =>
    args
      .options(proveOptions)
      .example('$0 tools beats prove --beats-url http://127.0.0.1:8788 --beats 1000 --difficulty 100 > proof.json', ''),
  handler: async (flags) => {
    const url = baseOf(flags['beats-url']);
    const run = readRun(flags);
    const terms = await proofTerms(url);
    const { difficultyMin, difficultyMax, spotChecksMax } = terms;
    if (flags.form === 'work' && !(run.difficulty >= difficultyMin && run.difficulty <= difficultyMax)) {
      throw new Failure(`--difficulty must be ${difficultyMin} to ${difficultyMax}: the beats service takes no other.`);
    }
    const {
      anchor,
      toBeat,
      toHash,
      checks: spot_checks,
    } = await wovenRun(url, terms, {
      ...run,
      keep: spreadIndexes(run.fromBeat, run.beats, spotChecksMax),
    });
    const ends = { from_hash: run.fromHash, to_hash: toHash, beats_computed: run.beats };
    const proof =
      flags.form === 'work'
        ? { ...ends, difficulty: run.difficulty, anchor_hash: anchor.hash, anchor_index: anchor.index, spot_checks }
        : {
            from_beat: run.fromBeat,
            to_beat: toBeat,
            ...ends,
            global_anchor: anchor.index,
            anchor_hash: anchor.hash,
            spot_checks,
          };
    console.log(JSON.stringify(proof));
  },
};

/** How often a run is computed again because its anchor is no longer current. A run that takes longer than the window never catches up. */
const RUNS_MAX = 3;

/** Computes a run that weaves the latest anchor, and again if that anchor became too old meanwhile, since its proof would be refused. */
async function wovenRun(
  url: string,
  { graceAnchors }: ProofTerms,
  run: Omit<BeatRun, 'anchorHash'>,
): Promise<FinishedRun & { readonly anchor: Anchor }> {
  let anchor = await currentAnchor(url);
  for (let runs = 1; ; runs += 1) {
    const finished = computeRun({ ...run, anchorHash: anchor.hash });
    const latest = await currentAnchor(url);
    if (latest.index - anchor.index < graceAnchors) return { ...finished, anchor };
    const gone = `Anchor ${anchor.index} went by while the beats were computed: ${latest.index} is the latest, and a proof weaves one of the latest ${graceAnchors}.`;
    if (runs === RUNS_MAX) throw new Failure(`${gone} Prove fewer beats at a time.`);
    console.error(`${gone} They are computed again.`);
    anchor = latest;
  }
}

const fileOption = { type: 'string', describe: 'What `aips tools beats prove` printed' } as const;

/** A proof of either form: only a beat proof says where its run starts. The file is read once, since it may be a pipe. */
function readProof(file: string): BeatProof | WorkProof {
  const text = readText(file, 'proof');
  const read = <T>(schema: z.ZodType<T>): T => parsedOrFail(parseYaml(text, file, schema));
  return 'from_beat' in read(z.looseObject({})) ? read(beatProof) : read(workProof);
}

type SubmitFlags = InferredOptionTypes<typeof beatsUrl & typeof json> & { file: string | undefined };

const submitCommand: CommandModule<object, SubmitFlags> = {
  command: 'submit <file>',
  describe: 'Submit a work proof to the beats service, and print the receipt: exit 1 if it gives none',
  builder: (args: Argv) =>
    args
      .positional('file', fileOption)
      .options({ ...beatsUrl, ...json })
      .example('$0 tools beats submit proof.json --beats-url http://127.0.0.1:8788', ''),
  handler: async (flags) => {
    const proof = readProof(flags.file as string);
    if ('from_beat' in proof) {
      const what = "this is a beat proof (for beats/submit with the agent's key)";
      throw new Failure(`${flags.file}: ${what}; give a work proof: aips tools beats prove --form work.`);
    }
    const answer = await submitProof(baseOf(flags['beats-url']), proof);
    const { receipt } = answer;
    if (receipt === undefined) process.exitCode = EXIT.unclean;
    if (flags.json) console.log(JSON.stringify(answer.reply));
    else if (answer.receipt === undefined)
      console.error(`The beats service refuses the proof: ${oneLine(answer.reason)}`);
    else console.log(oneLine(typeof receipt === 'string' ? receipt : JSON.stringify(receipt)));
  },
};

const verifyOptions = {
  ...json,
  ...difficultyOption,
} as const;

const verifyCommand: CommandModule<object, InferredOptionTypes<typeof verifyOptions> & { file: string | undefined }> = {
  command: 'verify <file>',
  describe:
    'Check a proof of either form offline: exit 0 if it holds, 1 if not. Whether its anchor is recent is not checked',
  builder: (args: Argv) => args.positional('file', fileOption).options(verifyOptions),
  handler: ({ file, difficulty, json: asJson }) => {
    requireWhole(difficulty, '--difficulty');
    const proof = readProof(file as string);
    const reason = faultOf(proof, difficulty);
    if (reason !== undefined) process.exitCode = EXIT.unclean;
    const shown = `${proof.beats_computed} beats, ${proof.spot_checks.length} of them shown`;
    if (asJson) console.log(JSON.stringify(reason === undefined ? { valid: true } : { valid: false, reason }));
    else console.log(reason === undefined ? `The proof holds: ${shown}.` : `The proof does not hold: ${reason}.`);
  },
};

function faultOf(proof: BeatProof | WorkProof, difficulty: number): string | undefined {
  const anchorHash = proof.anchor_hash;
  const verdict =
    'from_beat' in proof
      ? checkBeatProof(proof, { protocol, difficulty, anchorHash })
      : checkWorkProof(proof, { protocol, anchorHash });
  return verdict.ok ? undefined : verdict.reason;
}

/** `aips tools beats compute | prove | submit | verify`. */
export const beatsCommand: Command = {
  builder: (args: Argv) =>
    args
      .command(computeCommand)
      .command(proveCommand)
      .command(submitCommand)
      .command(verifyCommand)
      .demandCommand(1, 'Say what to do: compute, prove, submit or verify.'),
  handler: () => undefined,
};
