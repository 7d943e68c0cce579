/**
 * Keeps the state of a host: gives accepted commands to the journal, adds checksums, and has snapshots made. How they come to
 * the disk is in store/.
 */

import { columnsDigest, commandDigest } from '../../state-digest.js';
import type { Command } from '../../store/command.js';
import type { Store } from '../../store/open-store.js';
import type { Replica, SavedState } from '../../store/saved-state.js';
import { loadService, saveService } from '../../store/service-state.js';
import type { Host } from '../request/host.js';
import type { Keeper } from '../request/keeper.js';
import { replay } from './replay.js';

/** Commands between two checksums; more where there are many agents, since a checksum covers all of them. */
const CHECK_EVERY = 1_000;
const AGENTS_A_COMMAND = 8;

/** The state of a host, for the store. */
export interface HostReplica extends Replica {
  /** The time of the latest command, Unix ms; undefined before the first. */
  lastMs: number | undefined;
}

/** Ties the store to the state of a host. */
export function replicaOf(host: Host): HostReplica {
  const { options } = host.service;
  const replica: HostReplica = {
    lastMs: undefined,
    load: (saved) => {
      host.service = loadService(options, saved);
      replica.lastMs = (saved.tables['last_ms'] as number | null) ?? undefined;
    },
    apply: (command) => {
      replay(host, command);
      replica.lastMs = command.at;
    },
    stateAfter: ({ agent }) => commandDigest(host.service, agent),
    columns: () => columnsDigest(host.service),
    save: (): SavedState => {
      const saved = saveService(host.service);
      return { ...saved, tables: { ...saved.tables, last_ms: replica.lastMs ?? null } };
    },
  };
  return replica;
}

/** How often snapshots are made while the server runs, and by whom. */
export interface SnapshotPlan {
  /** Commands after which another one is due. */
  readonly every: number;
  /** Makes one from the journal, and never rejects. */
  readonly take: () => Promise<void>;
  /** Gives up one that is being made. */
  readonly stop: () => Promise<void>;
}

/** Keeps what a host accepts in a store that has been brought to its state. */
export function keeperOf(host: Host, { journal, replayed }: Store, replica: HostReplica, plan?: SnapshotPlan): Keeper {
  let checkedAt = journal.length;
  let snapshotAt = journal.length - replayed;
  let taking = false;
  const check = (): void => {
    const every = Math.max(CHECK_EVERY, Math.floor(host.service.registry.agents.rows / AGENTS_A_COMMAND));
    if (journal.length - checkedAt < every) return;
    checkedAt = journal.length;
    journal.appendCheck(replica.columns());
  };
  const takeSnapshot = async ({ every, take }: SnapshotPlan): Promise<void> => {
    if (taking || journal.onDisk.seq - snapshotAt < every) return;
    taking = true;
    snapshotAt = journal.onDisk.seq;
    await take();
    taking = false;
  };
  if (plan !== undefined) void takeSnapshot(plan);
  return {
    record: (command: Command) => {
      if (journal.failed) return;
      replica.lastMs = command.at;
      journal.append(command, replica.stateAfter(command));
      check();
      if (plan !== undefined) void takeSnapshot(plan);
    },
    settled: journal.settled,
  };
}
