/**
 * The folder of `--data` for the command line: under which rules it is opened, to which service it belongs, and how
 * snapshots are made by a process of their own. Its files are read and written by reference/store.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { SnapshotPlan } from '../../reference/http/server/journal-keeper.js';
import { rulesDigest } from '../../reference/http/server/rules-digest.js';
import type { Seed } from '../../reference/registry/columns/stream.js';
import type { ServiceOptions } from '../../reference/service.js';
import type { Command } from '../../reference/store/command.js';
import type { Build, Owner } from '../../reference/store/journal-line.js';
import { nodeFiles } from '../../reference/store/node-files.js';
import { type OpenStore, openStore, storeOwner } from '../../reference/store/open-store.js';
import { LockLost, StoreError } from '../../reference/store/store-error.js';
import { Failure, fileReason, systemErrorCode } from '../host/failure.js';
import { ensureFolder, readText } from '../host/files.js';
import { ownCommand } from '../host/own-program.js';
import { packageRoot, packageVersion } from '../host/package.js';

/** This package's rules. */
export async function ownBuild(): Promise<Build> {
  const text = readText(
    join(packageRoot(), 'reference/http/server/golden-commands.json'),
    'list of commands of this package',
  );
  const { cases } = JSON.parse(text) as { readonly cases: readonly Command[] };
  return { version: packageVersion(), rules: await rulesDigest(cases) };
}

/** The owner of a service's journal: everything that decides how commands act. Of the secret there is only a digest. */
function ownerOf({
  protocol,
  dialect,
  policy,
  seed,
  paymentAddress,
  anchorPaceSec,
}: Omit<ServiceOptions, 'startMs'>): Owner {
  const { registrationSecret, ...rest } = policy;
  const secret = registrationSecret === null ? null : createHash('sha256').update(registrationSecret).digest('hex');
  const owner = { protocol, dialect, policy: { ...rest, registration_secret_sha256: secret }, seed };
  return {
    ...owner,
    ...(paymentAddress === undefined ? {} : { paymentAddress }),
    ...(anchorPaceSec === undefined ? {} : { anchorPaceSec }),
  };
}

/** The service that a journal belongs to, for whom the secret of registration does not matter: it is past. */
export function serviceOf(owner: Owner, startMs: number): ServiceOptions {
  const { policy, ...rest } = owner as unknown as Omit<ServiceOptions, 'startMs'> & {
    readonly policy: { readonly registration_secret_sha256?: string | null };
  };
  const { registration_secret_sha256: _, ...kept } = policy;
  return { ...rest, startMs, policy: { ...kept, registrationSecret: null } };
}

/** The seed of the journal in a folder; undefined where there is none. */
export async function seedIn(folder: string): Promise<Seed | undefined> {
  const owner = await orFailure(() => storeOwner(nodeFiles, folder));
  const seed = owner?.['seed'];
  return typeof seed === 'number' || typeof seed === 'string' ? seed : undefined;
}

/** Opens the folder of a service, or begins one. Prints messages for the user. Calls `onFailure` when the disk fails. */
export async function openData(
  folder: string,
  service: ServiceOptions,
  onFailure: (error: unknown) => void,
): Promise<OpenStore> {
  ensureFolder(folder);
  const log = (text: string): void => console.error(text);
  const options = { files: nodeFiles, folder, build: await ownBuild(), owner: ownerOf(service), log, onFailure };
  return orFailure(() => openStore({ ...options, startMs: service.startMs }));
}

/** Lines for the user when a folder in use cannot be written any more. */
export function failureLines(folder: string, error: unknown): readonly string[] {
  const why = error instanceof Error ? error.message : String(error);
  const stopped = `${folder}: cannot be written any more (${why}). Every call is answered 503 STORE_UNAVAILABLE.`;
  if (error instanceof LockLost) return [stopped, 'This server changes nothing in the folder from here on. Stop it.'];
  return [stopped, 'Nothing that was acknowledged is lost. Make room or mend the disk, and start again.'];
}

/** Advice for errors of a file system about the data folder. */
const DISK_ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the data folder is full: make room on it, and start again.',
  EDQUOT: 'The quota of this user on the disk of the data folder is used up: make room, and start again.',
  EFBIG: 'A file of the data folder would be larger than this process may write (ulimit -f).',
  EROFS: 'The disk of the data folder is mounted for reading alone.',
  EMFILE: 'This process may open no more files (ulimit -n).',
  ENFILE: 'This machine may open no more files.',
  EACCES: 'This user must be allowed to read and write the data folder.',
};

/** Runs `use`, and turns an error of the store that the user can fix into a Failure. */
export async function orFailure<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof StoreError) throw new Failure(error.message, { cause: error });
    const code = systemErrorCode(error);
    if (code !== undefined && error instanceof Error) {
      const advice = DISK_ADVICE[code];
      const where = 'path' in error ? `${String(error.path)}: ` : '';
      throw new Failure(
        `${where}${fileReason(code, 'read')}. Nothing was started.${advice === undefined ? '' : ` ${advice}`}`,
      );
    }
    throw error;
  }
}

/** Commands after which a snapshot is made while the server runs: to apply 50,000 again takes a second or two. */
const SNAPSHOT_EVERY = 50_000;

function snapshotProcess(folder: string): ChildProcess {
  const [command, ...first] = ownCommand();
  const child = spawn(command, [...first, 'journal', 'snapshot', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (child.pid === undefined) return child;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // It has ended already, or this system has no priorities.
    if (systemErrorCode(error) === undefined) throw error;
  }
  return child;
}

/** Makes snapshots of a folder in a process that the server neither waits nor computes for. */
export function snapshotsOf(folder: string, every = SNAPSHOT_EVERY): SnapshotPlan {
  let child: ChildProcess | undefined;
  return {
    every,
    take: async () => {
      try {
        child = snapshotProcess(folder);
      } catch (error) {
        // No memory or no process is left for it; the journal is enough without it.
        if (systemErrorCode(error) === undefined) throw error;
        return;
      }
      const ended = child;
      // The process reports its errors itself.
      await new Promise<void>((done) => {
        ended.once('error', () => done());
        ended.once('close', () => done());
      });
    },
    stop: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child?.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
