/**
 * Takes from behaviours what would make a run differ from one time, or from one machine, to the next: clocks, chance, the machine and its
 * language, and the built-in objects, which a behaviour must leave as they are. Everything else in the process acts as before.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import { keepBuiltIns } from './built-in-objects.js';

/** Set while the module of behaviours loads, and only for the code that its loading runs: timers of other code go on. */
const loading = new AsyncLocalStorage<true>();
/** True while a behaviour is called. Nothing else runs meanwhile; the thread that ends the process sets it to false. */
let deciding = false;

const isFree = (): boolean => !deciding && loading.getStore() === undefined;

/** The name under which another thread finds the function that ends this process while a behaviour runs; `process.exit` is refused to behaviours. */
export const END_PROCESS = 'aips-lab: end the process';

function offerEnd(): void {
  const end = process.exit.bind(process);
  const value = (status: number): void => {
    deciding = false;
    // The error has been written. Node would add that it waits for the debugger, which is how the other thread reaches this one.
    closeSync(2);
    end(status);
  };
  Object.defineProperty(globalThis, Symbol.for(END_PROCESS), { value });
}

/** Calls a function during which the surroundings are refused. */
export function withoutSurroundings<T>(decide: () => T): T {
  const before = deciding;
  deciding = true;
  try {
    return decide();
  } finally {
    deciding = before;
  }
}

/** Loads a module without clock and chance; it may read files, such as the modules that it imports. */
export function loadedWithoutSurroundings<T>(load: () => Promise<T>): Promise<T> {
  return loading.run(true, load);
}

type When = 'always' | 'deciding';

function refuse(what: string, instead: string, when: When = 'always'): void {
  if (deciding || (loading.getStore() === true && when === 'always')) {
    throw new Error(`${what} is not the same in every run: ${instead}`);
  }
}

const CHANCE = 'use decision.random';
const CLOCK = 'use decision.nowSec';
const OPTIONS = 'use the options of the scenario';

/** A function of the same form that is refused to behaviours; `isRefused`: for these arguments alone. */
function guard<F extends object>(
  own: F,
  [what, instead, when]: readonly [what: string, instead: string, when?: When],
  isRefused: (given: readonly unknown[]) => boolean = () => true,
): F {
  return new Proxy(own, {
    apply: (target, self, given) => {
      if (!isFree() && isRefused(given)) refuse(what, instead, when);
      return Reflect.apply(target as never, self, given);
    },
    construct: (target, given, made) => {
      if (!isFree() && isRefused(given)) refuse(what, instead, when);
      return Reflect.construct(target as never, given, made);
    },
  });
}

/** Puts guards in the place of functions and accessors of an object; `names`: of these alone. */
function guardMembers(
  owner: object | undefined,
  reason: (name: string) => readonly [what: string, instead: string, when?: When],
  names: (name: string) => boolean = () => true,
): void {
  if (owner === undefined) return;
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (!names(name) || name === 'constructor' || member.configurable === false) continue;
    const { get, value } = member;
    if (get !== undefined) Object.defineProperty(owner, name, { ...member, get: guard(get, reason(name)) });
    else if (typeof value === 'function')
      Object.defineProperty(owner, name, { ...member, value: guard(value, reason(name)) });
  }
}

/** Modules of Node that show the machine, other processes, or time. */
const MACHINE = [
  'os',
  'v8',
  'child_process',
  'worker_threads',
  'cluster',
  'net',
  'tls',
  'dgram',
  'dns',
  'http',
  'https',
  'http2',
  'inspector',
];
/** Modules that a behaviour may use while it is loaded. */
const FILES = ['fs', 'fs/promises', 'timers', 'timers/promises'];

let isGuarded = false;
let keptBuiltIns: (() => string | undefined) | undefined;

/** Puts back the built-in objects that behaviours changed, and says which it was; undefined: none. */
export function changedBuiltIns(): string | undefined {
  const changed = keptBuiltIns?.();
  return changed === undefined ? undefined : `${changed} was changed: built-in objects must stay as they are`;
}

/**
 * Puts the guards in place, for good: a module that is loaded then, and keeps `Math.random` under another name, keeps the guard.
 */
export function guardSurroundings(): void {
  if (isGuarded) return;
  isGuarded = true;
  offerEnd();
  const load = createRequire(import.meta.url);
  const moduleOf = (name: string): object => load(`node:${name}`) as object;
  Math.random = guard(Math.random, ['Math.random', CHANCE]);
  guardMembers(
    Object.getPrototypeOf(crypto) as object,
    (name) => [`crypto.${name}`, CHANCE],
    (name) => name !== 'subtle',
  );
  for (const name of ['getRandomValues', 'randomUUID'] as const) {
    const value = guard(crypto[name].bind(crypto), [`crypto.${name}`, CHANCE]);
    Object.defineProperty(crypto, name, { value, configurable: true, writable: true });
  }
  guardMembers(
    moduleOf('crypto'),
    (name) => [`crypto.${name}`, CHANCE],
    (name) => /random|rng|generate|DiffieHellman|ECDH/i.test(name),
  );
  guardClocks();
  guardLanguage();
  guardMembers(
    globalThis,
    (name) => [name, OPTIONS],
    (name) => /^(?:fetch|WebSocket|EventSource|FinalizationRegistry)$/.test(name),
  );
  guardMembers(
    globalThis,
    (name) => [name, CLOCK, 'deciding'],
    (name) => /^(?:set(?:Timeout|Interval|Immediate)|queueMicrotask)$/.test(name),
  );
  guardMembers(WeakRef.prototype, () => ['WeakRef', OPTIONS, 'deciding']);
  guardMembers(
    Atomics,
    (name) => [`Atomics.${name}`, CLOCK],
    (name) => /^wait/.test(name),
  );
  // Another context has a clock and chance of its own.
  guardMembers(
    moduleOf('vm'),
    (name) => [`vm.${name}`, OPTIONS],
    (name) => /^(?:createContext|runInNewContext|runInContext|\w*Module)$/.test(name),
  );
  for (const name of MACHINE) guardMembers(moduleOf(name), (member) => [`${name}.${member}`, OPTIONS]);
  for (const name of FILES) guardMembers(moduleOf(name), (member) => [`${name}.${member}`, OPTIONS, 'deciding']);
  guardProcess();
  syncBuiltinESMExports();
  keptBuiltIns = keepBuiltIns();
}

function guardClocks(): void {
  const reason = () => ['the clock', CLOCK] as const;
  const names = ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization'] as const;
  const clock = performance as unknown as Record<(typeof names)[number], () => unknown>;
  for (const name of names) {
    Object.defineProperty(performance, name, {
      value: guard(clock[name].bind(performance), reason()),
      configurable: true,
      writable: true,
    });
  }
  const { timeOrigin } = performance;
  const origin = guard(() => timeOrigin, reason());
  Object.defineProperty(performance, 'timeOrigin', { get: origin, configurable: true });
  const calendar = Date;
  calendar.now = guard(calendar.now, ['the clock', CLOCK]);
  // A text without a zone, and numbers of year, month and day, are meant in the zone of the machine.
  const isLocal = ([first, second]: readonly unknown[]): boolean => {
    return (
      second !== undefined ||
      (typeof first === 'string' && !/^\d{4}(?:-\d\d){0,2}$|(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/.test(first.trim()))
    );
  };
  calendar.parse = guard(calendar.parse, ['the time zone of this machine', 'write dates in UTC'], isLocal);
  const inZone = guard(calendar, ['the time zone of this machine', 'write dates in UTC'], isLocal);
  const today = guard(() => undefined, ['the clock', CLOCK]);
  globalThis.Date = new Proxy(inZone, {
    construct: (target, given, made) => {
      if (given.length === 0) today();
      return Reflect.construct(target, given, made === globalThis.Date ? target : made) as object;
    },
    apply: (target, self, given) => {
      today();
      return Reflect.apply(target, self, given);
    },
  });
  calendar.prototype.constructor = globalThis.Date;
  guardMembers(Event.prototype, reason, (name) => name === 'timeStamp');
}

/** Guards whatever formats by language or time zone: both are the machine's by default, and where they are named, versions of Node know other forms. */
function guardLanguage(): void {
  const zone = ['the time zone of this machine', 'use the methods of UTC'] as const;
  const language = (name: string) => [`the language of this machine (${name})`, 'format by rules of your own'] as const;
  guardMembers(Intl, (name) => language(`Intl.${name}`));
  for (const each of Object.values(Object.getOwnPropertyDescriptors(Intl))) {
    const own: unknown = each.value;
    const { prototype } = (own ?? {}) as { readonly prototype?: { constructor: unknown } };
    if (prototype !== undefined) prototype.constructor = own;
  }
  guardMembers(
    Date.prototype,
    () => zone,
    (name) => /^(?:get|set)(?!UTC|Time$)|^to(?:Date|Time)?String$/.test(name),
  );
  for (const { prototype } of [Date, Number, BigInt, String, Array]) {
    guardMembers(prototype, language, (name) => /locale/i.test(name));
  }
}

/** Of the process, functions that observe the machine or change the process; its environment is seen empty. */
function guardProcess(): void {
  const observed =
    /^(?:hrtime|uptime|cpuUsage|threadCpuUsage|memoryUsage|resourceUsage|availableMemory|constrainedMemory|loadavg|getActiveResourcesInfo|binding|getuid|geteuid|getgid|getegid)$/;
  const changed = /^(?:exit|reallyExit|abort|kill|cwd|chdir|umask|set\w+|dlopen|disconnect|send)$/;
  const { bigint } = process.hrtime;
  const { rss } = process.memoryUsage;
  guardMembers(
    process,
    (name) => [/time$/.test(name) ? 'the clock' : `process.${name}`, /time$/.test(name) ? CLOCK : OPTIONS],
    (name) => observed.test(name),
  );
  process.hrtime.bigint = guard(bigint, ['the clock', CLOCK]);
  process.memoryUsage.rss = guard(rss, ['process.memoryUsage', OPTIONS]);
  guardMembers(
    process,
    (name) => [`process.${name}`, OPTIONS, 'deciding'],
    (name) => changed.test(name),
  );
  for (const name of ['pid', 'ppid'] as const) {
    const value = process[name];
    Object.defineProperty(process, name, {
      get: guard(() => value, [`process.${name}`, OPTIONS]),
      configurable: true,
      enumerable: true,
    });
  }
  const { env } = process;
  const empty = Object.freeze({}) as NodeJS.ProcessEnv;
  Object.defineProperty(process, 'env', {
    get: () => (isFree() ? env : empty),
    configurable: true,
    enumerable: true,
  });
}
