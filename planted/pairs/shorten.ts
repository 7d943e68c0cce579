/** Scripts with fewer steps: without reads, runs and steps that the last one does not need, and with short names. They play nothing. */

import type { Script } from '../../conformance/pairs/play.js';

const REFERENCE = /\$\{(\w+)\.([^}]*)\}/g;

/** The steps whose replies a value refers to, and the chains. */
function needsOf(value: unknown, chains: Script['chains']): ReadonlySet<number> {
  const needs = new Set<number>();
  for (const [, kind = '', rest = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
    if (/^\d+$/.test(kind)) needs.add(Number(kind));
    const chain = kind === 'chain' ? chains?.[rest.split('.')[0] ?? ''] : undefined;
    if (chain !== undefined) for (const each of needsOf(chain, chains)) needs.add(each);
  }
  return needs;
}

/** A script without a step and those that need its reply; undefined if that is the last one. `more`: what else refers to steps. */
export function without({ steps, chains }: Script, step: number): Script | undefined {
  const gone = new Set([step]);
  steps.forEach((each, nth) => {
    if ([...needsOf(each, chains)].some((need) => gone.has(need))) gone.add(nth);
  });
  if (gone.has(steps.length - 1)) return undefined;
  return renumbered({ steps, chains }, (nth) => !gone.has(nth));
}

function renumbered({ steps, chains }: Script, isKept: (nth: number) => boolean): Script {
  const places = new Map<number, number>();
  steps.forEach((_, nth) => {
    if (isKept(nth)) places.set(nth, places.size);
  });
  const kept = steps.filter((_, nth) => isKept(nth));
  const used = new Set([...JSON.stringify(kept).matchAll(/\$\{chain\.(\w+)\./g)].map(([, name]) => name));
  for (let size = -1; size !== used.size; ) {
    size = used.size;
    for (const name of [...used])
      for (const [, from] of (chains?.[name ?? '']?.from ?? '').matchAll(/\$\{chain\.(\w+)\./g)) used.add(from);
  }
  const left = Object.fromEntries(Object.entries(chains ?? {}).filter(([name]) => used.has(name)));
  const text = JSON.stringify({ steps: kept, chains: left }).replaceAll(
    /\$\{(\d+)\./g,
    (_, nth) => `\${${places.get(Number(nth))}.`,
  );
  const made = JSON.parse(text) as Script;
  return Object.keys(left).length === 0 ? { steps: made.steps } : made;
}

/** Without reads that no later step needs. */
export function pruned(script: Script): Script {
  const { steps, chains } = script;
  const needed = new Set([steps.length - 1]);
  for (let nth = steps.length - 1; nth >= 0; nth -= 1) {
    const isRead = steps[nth]?.method === 'GET' || JSON.stringify(steps[nth]?.body) === '{"ms":0}';
    if (isRead && !needed.has(nth)) continue;
    needed.add(nth);
    for (const need of needsOf(steps[nth], chains)) needed.add(need);
  }
  return renumbered(script, (nth) => needed.has(nth));
}

/** With each run of the same request as one step, if no later one needs the replies before the last. */
export function collapsed(script: Script): Script {
  const { steps, chains } = script;
  const needed = new Set(steps.flatMap((step) => [...needsOf(step, chains)]));
  const texts = steps.map((step) => JSON.stringify(step));
  const isRun = (nth: number): boolean => texts[nth] === texts[nth + 1] && !needed.has(nth);
  const counted = steps.map((step, nth) => {
    let count = 1;
    while (isRun(nth - count)) count += 1;
    return count === 1 ? step : { ...step, repeat: count };
  });
  return renumbered({ ...script, steps: counted }, (nth) => !isRun(nth));
}

/** Gives what a player makes short names, in the order of their use. */
export function named(script: Script): Script {
  const names = new Map<string, string>();
  const nameOf = (value: string): string => {
    if (!names.has(value))
      names.set(value, `${'abcdefghijklmnopqrstuvwxyz'[names.size % 26]}${Math.floor(names.size / 26) || ''}`);
    return names.get(value) as string;
  };
  const text = JSON.stringify(script)
    .replaceAll(
      /\$\{hex\.([0-9a-f]{12,})\}/g,
      (_, value: string) => `\${hex.${nameOf(value)}${value.length === 64 ? '' : `.${value.length}`}}`,
    )
    .replaceAll(/\$\{wallet\.([0-9a-f]{64})\./g, (_, value: string) => `\${wallet.${nameOf(value)}.`)
    .replaceAll(/"sign":"([0-9a-f]{64})"/g, (_, value: string) => `"sign":"${nameOf(value)}"`)
    .replaceAll(/"from":"(10\.\d+\.\d+\.\d+)"/g, (_, value: string) => `"from":"${nameOf(value)}"`);
  return JSON.parse(text) as Script;
}
