/**
 * `aips journal verify | replay | export | backup | repair | snapshot`: operations on a folder of `--data` other than serving it. All but repair
 * may be run while a server uses the folder.
 */

import type { Argv, CommandModule } from 'yargs';
import { manualClock } from '../../reference/http/request/clock.js';
import { createHost } from '../../reference/http/request/host.js';
import { type HostReplica, replicaOf } from '../../reference/http/server/journal-keeper.js';
import type { Service } from '../../reference/service.js';
import { serviceFingerprint } from '../../reference/state-digest.js';
import { backupStore } from '../../reference/store/backup.js';
import type { JournalLine } from '../../reference/store/journal-line.js';
import { KNOWN } from '../../reference/store/known-position.js';
import { nodeFiles } from '../../reference/store/node-files.js';
import { findStore, readStore, replayStore, verifyStore } from '../../reference/store/read-store.js';
import { planRepair, type RepairPlan, repairStore } from '../../reference/store/repair.js';
import { StoreDamage } from '../../reference/store/store-error.js';
import { takeSnapshot } from '../../reference/store/take-snapshot.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { orFailure, ownBuild, serviceOf } from '../../runs/server/data-folder.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { redactor } from './redacted-line.js';

interface FolderFlags {
  readonly dir: string;
  readonly json: boolean;
}

const folderOf = (args: Argv): Argv<FolderFlags> =>
  args
    .positional('dir', { type: 'string', demandOption: true, describe: 'Folder of --data' })
    .options(json) as Argv<FolderFlags>;

function print(json: boolean, value: object, text: string): void {
  console.log(json ? JSON.stringify(value) : text);
}

/** The result of a judgement; undefined, with the reason printed and status 1, when it is damage. */
async function soundOr<T>(judge: () => Promise<T>): Promise<T | undefined> {
  try {
    return await orFailure(judge);
  } catch (error) {
    if (!(error instanceof Failure && error.cause instanceof StoreDamage)) throw error;
    console.error(error.message);
    process.exitCode = EXIT.unclean;
    return undefined;
  }
}

const verifyCommand: CommandModule<object, FolderFlags> = {
  command: 'verify <dir>',
  describe: 'Read every line and every snapshot, and verify that they are unchanged',
  builder: (args) => folderOf(args).example('$0 journal verify data', 'exit status 0: sound; 1: damaged'),
  handler: async ({ dir, json }) => {
    const verified = await soundOr(() => verifyStore(nodeFiles, dir));
    if (verified === undefined) return;
    const { commands, segments, checks, versions, snapshot, damaged } = verified;
    const kept = snapshot === null ? 'no snapshot' : `a sound snapshot of the first ${snapshot}`;
    const text = `${commands} commands in ${segments} segments with ${checks} checksums, written by ${versions.join(', ')}: sound; ${kept}`;
    print(json, verified, damaged.length === 0 ? text : `${text}; damaged: ${damaged.join(', ')}`);
    if (damaged.length > 0) process.exitCode = EXIT.unclean;
  },
};

/** The service of a folder as it started, for its commands to be applied to. */
async function replicaIn(folder: string): Promise<{ readonly replica: HostReplica; readonly service: () => Service }> {
  const { header } = await findStore(nodeFiles, folder);
  const options = serviceOf(header.owner, header.start_ms);
  const host = createHost(options, manualClock(header.start_ms), { trustForwardedFor: false });
  await host.beatPool.close();
  return { replica: replicaOf(host), service: () => host.service };
}

const replayCommand: CommandModule<object, FolderFlags> = {
  command: 'replay <dir>',
  describe: 'Apply every command again by the rules of this version, and print the fingerprint of the state',
  builder: (args) =>
    folderOf(args).example('$0 journal replay data', 'before an update: do the new rules lead to the same state?'),
  handler: async ({ dir, json }) => {
    const { replica, service } = await orFailure(() => replicaIn(dir));
    const build = await ownBuild();
    const done = await soundOr(() => replayStore(nodeFiles, dir, { build, replica }));
    if (done === undefined) return;
    const { replayed } = done;
    const sha256 = serviceFingerprint(service());
    const verified = { commands: replayed, sha256, version: build.version, at_ms: replica.lastMs ?? null };
    print(json, verified, `${replayed} commands, each with the state that it had led to; fingerprint ${sha256}`);
  },
};

interface ExportFlags extends FolderFlags {
  readonly 'with-secrets': boolean;
}

const exportCommand: CommandModule<object, ExportFlags> = {
  command: 'export <dir>',
  describe: 'Print the commands, a line of JSON each, without secrets: for a bug report',
  builder: (args) =>
    folderOf(args)
      .option('with-secrets', {
        type: 'boolean',
        default: false,
        describe:
          'Print the seed, tokens and nonces too: every key of every agent, admin and partner follows from the seed',
      })
      .example('$0 journal export data > commands.ndjson', '') as Argv<ExportFlags>,
  handler: async ({ dir, 'with-secrets': withSecrets }) => {
    const shown = withSecrets ? (line: JournalLine): unknown => line : redactor();
    const lines: string[] = [];
    const flush = (): void => {
      if (lines.length > 0) process.stdout.write(`${lines.splice(0).join('\n')}\n`);
    };
    await orFailure(() =>
      readStore(nodeFiles, dir, (line) => {
        lines.push(JSON.stringify(shown(line)));
        if (lines.length >= 1_000) flush();
      }),
    );
    flush();
    console.error(withSecrets ? EXPORTED_WHOLE : EXPORTED_REDACTED);
  },
};

const EXPORTED_WHOLE =
  'With the seed in this export anybody can compute every key of the service. Give it only to somebody who may act for all of its agents.';
const EXPORTED_REDACTED =
  'The seed, keys, tokens and nonces are left out; names and metadata are as clients sent them. Without its seed the journal cannot be ' +
  'applied again, since hashes, nonces and what wallets have signed follow from it: --with-secrets prints all of it.';

const backupCommand: CommandModule<object, FolderFlags & { readonly to: string }> = {
  command: 'backup <dir> <to>',
  describe: 'Copy a folder, also while a server writes it, and verify the copy',
  builder: (args) =>
    folderOf(args)
      .positional('to', { type: 'string', demandOption: true, describe: 'Folder for the copy, new or empty' })
      .example('$0 journal backup data /backup/data-monday', '') as Argv<FolderFlags & { readonly to: string }>,
  handler: async ({ dir, to, json }) => {
    const commands = await orFailure(() => backupStore(nodeFiles, dir, to));
    print(json, { commands, to }, `${to}: holds ${commands} commands and can be served`);
  },
};

const repairCommand: CommandModule<object, FolderFlags & { readonly yes: boolean }> = {
  command: 'repair <dir>',
  describe: 'Keep the part of a journal before the damage, and move the rest aside',
  builder: (args) =>
    folderOf(args)
      .option('yes', {
        type: 'boolean',
        default: false,
        describe: 'Do it; without this the command only says what it would do',
      })
      .example('$0 journal repair data', 'what would be lost?') as Argv<FolderFlags & { readonly yes: boolean }>,
  handler: ({ dir, json, yes }) => orFailure(() => repair(dir, { json, yes })),
};

async function repair(folder: string, { json, yes }: { readonly json: boolean; readonly yes: boolean }): Promise<void> {
  const lock = await nodeFiles.lock(folder);
  try {
    const plan = await planRepair(nodeFiles, folder);
    const { kept, lost, unsure, aside, crlf } = plan;
    if (yes) await repairStore(nodeFiles, folder, plan);
    const rest = aside.map(({ name, fromByte }) => (fromByte === 0 ? name : `${name} from byte ${fromByte} on`));
    const text = [
      `${kept} commands ${yes ? 'were' : 'would be'} kept.`,
      ...(crlf.length === 0
        ? []
        : [`The line ends of ${crlf.join(', ')} are CRLF and ${yes ? 'were' : 'would be'} restored.`]),
      ...lossOf(plan, yes),
      rest.length > 0 ? `Put aside under names that end in .damaged: ${rest.join(', ')}.` : 'Nothing is put aside.',
      ...(yes ? [] : ['Nothing was changed. --yes does it.']),
    ];
    print(json, { kept, lost, unsure, aside, crlf, repaired: yes }, text.join('\n'));
    if (!yes && (aside.length > 0 || crlf.length > 0 || unsure !== null)) process.exitCode = EXIT.unclean;
  } finally {
    await lock.release();
  }
}

/** Lines that say how much is lost for certain, and why more may be. */
function lossOf({ lost, unsure }: RepairPlan, done: boolean): string[] {
  const some = lost > 0 ? [`At least ${lost} that were acknowledged ${done ? 'are' : 'would be'} lost.`] : [];
  switch (unsure) {
    case null:
      return lost > 0 ? some : ['None that is known of is lost.'];
    case 'two-writers':
      return [
        ...some,
        'Two servers have written this folder at the same time: what one of them acknowledged is lost, and nobody can say how much.',
      ];
    case 'perhaps-two-writers':
      return [...some, 'If two servers have written this folder at the same time, more is lost than can be seen.'];
    case 'end-unknown':
      return [...some, `Whether more was acknowledged cannot be seen: ${KNOWN} is missing or damaged.`];
    default:
      return unsure satisfies never;
  }
}

const snapshotCommand: CommandModule<object, FolderFlags> = {
  command: 'snapshot <dir>',
  describe: 'Make a snapshot, so that the next start need not apply every command; a server does so by itself',
  builder: folderOf,
  handler: async ({ dir, json }) => {
    const { replica } = await orFailure(() => replicaIn(dir));
    const build = await ownBuild();
    const { end, replayed } = await orFailure(() => takeSnapshot(replica, { files: nodeFiles, folder: dir, build }));
    const { seq } = end.position;
    print(json, { commands: seq, replayed }, `${dir}: a snapshot stands for the first ${seq} commands`);
  },
};

/** `aips journal` and what belongs to it. */
export const journalCommand: Command = {
  builder: (args: Argv) =>
    args
      .command(verifyCommand)
      .command(replayCommand)
      .command(exportCommand)
      .command(backupCommand)
      .command(repairCommand)
      .command(snapshotCommand)
      .demandCommand(1, 'Say what to do: verify, replay, export, backup, repair or snapshot.'),
  handler: () => undefined,
};
