/**
 * Loads heartbeat behaviours of the user's own from a module, and keeps them from what would make a run differ from one time to the
 * next (surroundings.ts) or never end (decision-watch.ts). A behaviour is defined in scenarios/behaviours/own-behaviour.ts.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleOrigin } from '../../results/simulation-result.js';
import { type Behaviours, type HeartbeatBehaviour, thrownText } from '../../scenarios/behaviours/own-behaviour.js';
import { Failure } from '../host/failure.js';
import { readBytes } from '../host/files.js';
import { isStream } from '../host/input-bytes.js';
import { type DecisionWatch, watchDecisions } from './decision-watch.js';
import { changedBuiltIns, guardSurroundings, loadedWithoutSurroundings, withoutSurroundings } from './surroundings.js';

/** Behaviours by name, with the module that they come from. */
export interface OwnBehaviours extends ModuleOrigin {
  readonly byName: Behaviours;
}

/** Loads the module of `--behaviours`, which exports `behaviours`: a record of behaviours by name. */
export async function loadBehaviours(path: string): Promise<OwnBehaviours> {
  if (isStream(path)) throw new Failure(`${path}: a module of behaviours is loaded by its name: write it into a file.`);
  const bytes = readBytes(path, 'module of behaviours');
  guardSurroundings();
  const watch = watchDecisions(path);
  let loaded: unknown;
  try {
    watch.begin('', 0);
    loaded = await loadedWithoutSurroundings(() => import(pathToFileURL(resolve(path)).href));
  } catch (error) {
    throw new Failure(`${path}: cannot be loaded: ${thrownText(error)}`);
  } finally {
    watch.end();
  }
  const changed = changedBuiltIns();
  if (changed !== undefined) throw new Failure(`${path}: cannot be loaded: ${changed}`);
  const { behaviours } = loaded as { readonly behaviours?: unknown };
  if (typeof behaviours !== 'object' || behaviours === null || Object.keys(behaviours).length === 0) {
    throw new Failure(
      `${path}: must export behaviours, such as: export const behaviours = { 'late-riser': { next: … } };`,
    );
  }
  const byName = guarded(behaviours as Readonly<Record<string, unknown>>, path, watch);
  return { file: path, sha256: createHash('sha256').update(bytes).digest('hex'), byName };
}

/** Where a module comes from, without what it exports. */
export function originOf({ file, sha256 }: ModuleOrigin): ModuleOrigin {
  return { file, sha256 };
}

/**
 * Failure unless a run or experiment that is continued or played again is given the module that it was played with: `used`, as its folder
 * or manifest records it. A module is loaded only if the user names it, never because a folder does.
 */
export function requireSameModule(
  used: ModuleOrigin | undefined,
  given: ModuleOrigin | undefined,
  played: string,
): void {
  if (used === undefined && given !== undefined) {
    throw new Failure(`${played} was played without behaviours: leave out --behaviours.`);
  }
  if (used !== undefined && given === undefined) {
    throw new Failure(`${played} was played with the behaviours of ${used.file}: name that module with --behaviours.`);
  }
  if (used?.sha256 !== given?.sha256) {
    throw new Failure(
      `--behaviours ${given?.file}: is not the module that ${played} was played with (${used?.file}, SHA-256 ${used?.sha256}).`,
    );
  }
}

/** Behaviours that are refused clock and chance: each answers from what it is given. Failure for one without a `next`. */
export function guarded(behaviours: Readonly<Record<string, unknown>>, origin: string, watch = unwatched): Behaviours {
  guardSurroundings();
  let decisions = 0;
  return new Map(
    Object.entries(behaviours).map(([name, behaviour]) => {
      const { next, first } = (behaviour ?? {}) as Partial<HeartbeatBehaviour>;
      if (typeof next !== 'function') throw new Failure(`${origin}: behaviour ${name} must have a function next.`);
      if (first !== undefined && typeof first !== 'function') {
        throw new Failure(`${origin}: first of behaviour ${name} must be a function.`);
      }
      const pure = (decide: HeartbeatBehaviour['next']): HeartbeatBehaviour['next'] => {
        return (decision, options) => {
          watch.begin(name, decision.nowSec);
          try {
            return withoutSurroundings(() => decide.call(behaviour, decision, options));
          } finally {
            watch.end();
            if (decisions < CHECKED_EVERY || decisions % CHECKED_EVERY === 0) refuseChangedBuiltIns();
            decisions += 1;
          }
        };
      };
      return [name, { next: pure(next), ...(first === undefined ? {} : { first: pure(first) }) }] as const;
    }),
  );
}

/** The first decisions are each followed by a look at the built-in objects, and later ones now and then: it takes some microseconds. */
const CHECKED_EVERY = 64;

function refuseChangedBuiltIns(): void {
  const changed = changedBuiltIns();
  if (changed !== undefined) throw new Error(changed);
}

/** For the library: its caller decides how long a behaviour may take. */
const unwatched: DecisionWatch = { begin: () => undefined, end: () => undefined };
