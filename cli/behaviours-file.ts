/**
 * Loads heartbeat behaviours of the user's own from a module, and keeps them from what would make a run differ from one time to the
 * next. A behaviour is defined in scenarios/behaviours/own-behaviour.ts.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleOrigin } from '../reports/simulation-result.js';
import type { Behaviours, HeartbeatBehaviour } from '../scenarios/behaviours/own-behaviour.js';
import { Failure } from './failure.js';
import { readText } from './files.js';

/** Behaviours by name, with the module that they come from. */
export interface OwnBehaviours extends ModuleOrigin {
  readonly byName: Behaviours;
}

/** Loads the module of `--behaviours`, which exports `behaviours`: a record of behaviours by name. */
export async function loadBehaviours(path: string): Promise<OwnBehaviours> {
  const text = readText(path, 'module of behaviours');
  guardSurroundings();
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new Failure(`${path}: cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { behaviours } = loaded as { readonly behaviours?: unknown };
  if (typeof behaviours !== 'object' || behaviours === null || Object.keys(behaviours).length === 0) {
    throw new Failure(
      `${path}: must export behaviours, such as: export const behaviours = { 'late-riser': { next: … } };`,
    );
  }
  const byName = guarded(behaviours as Readonly<Record<string, unknown>>, path);
  return { file: path, sha256: createHash('sha256').update(text).digest('hex'), byName };
}

/** Where a module comes from, without what it exports. */
export function originOf({ file, sha256 }: ModuleOrigin): ModuleOrigin {
  return { file, sha256 };
}

/**
 * Failure unless what is continued or played again gets the module that it was played with: `used`, as its folder or manifest tells it. No
 * module is loaded because a folder names it.
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
export function guarded(behaviours: Readonly<Record<string, unknown>>, origin: string): Behaviours {
  guardSurroundings();
  return new Map(
    Object.entries(behaviours).map(([name, behaviour]) => {
      const { next, first } = (behaviour ?? {}) as Partial<HeartbeatBehaviour>;
      if (typeof next !== 'function') throw new Failure(`${origin}: behaviour ${name} must have a function next.`);
      if (first !== undefined && typeof first !== 'function') {
        throw new Failure(`${origin}: first of behaviour ${name} must be a function.`);
      }
      const own = behaviour as HeartbeatBehaviour;
      const pure: HeartbeatBehaviour = {
        next: (decision, options) => withoutSurroundings(() => own.next(decision, options)),
        ...(first === undefined
          ? {}
          : { first: (decision, options) => withoutSurroundings(() => first.call(own, decision, options)) }),
      };
      return [name, pure] as const;
    }),
  );
}

/** Whether a behaviour decides at this moment. */
let deciding = false;

/** A function that is refused to behaviours, since it makes a run different from the next one. */
function refusing<F extends (...given: never[]) => unknown>(own: F, what: string, instead: string): F {
  const guard = function (this: unknown, ...given: Parameters<F>): unknown {
    if (deciding) throw new Error(`${what} is not the same in every run: use ${instead}`);
    return own.apply(this, given);
  };
  return guard as F;
}

let isGuarded = false;

/**
 * Puts guards in the place of clock and chance, for good: a module that is loaded then, and keeps `Math.random` under another name, keeps
 * the guard. While no behaviour decides they act as before.
 */
function guardSurroundings(): void {
  if (isGuarded) return;
  isGuarded = true;
  const [chance, clock] = ['decision.random', 'decision.nowSec'];
  Math.random = refusing(Math.random, 'Math.random', chance);
  for (const name of ['getRandomValues', 'randomUUID'] as const) {
    Object.defineProperty(crypto, name, {
      value: refusing(crypto[name].bind(crypto) as () => unknown, `crypto.${name}`, chance),
      configurable: true,
      writable: true,
    });
  }
  performance.now = refusing(performance.now.bind(performance), 'the clock', clock);
  process.hrtime.bigint = refusing(process.hrtime.bigint, 'the clock', clock);
  const calendar = Date;
  const now = refusing(calendar.now, 'the clock', clock);
  const today = refusing(() => new calendar(), 'the clock', clock);
  const asText = refusing(() => calendar(), 'the clock', clock);
  globalThis.Date = new Proxy(calendar, {
    construct: (target, given, made) =>
      given.length === 0 && deciding ? today() : Reflect.construct(target, given, made),
    apply: () => asText(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}

/** Calls a function during which clock and chance are refused: a run with them could not be reproduced. */
function withoutSurroundings(decide: () => number): number {
  deciding = true;
  try {
    return decide();
  } finally {
    deciding = false;
  }
}
