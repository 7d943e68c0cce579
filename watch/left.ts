/** The states that are left before a break: the facts about what its exchange names, known and unknown. None of these states permits the reply. */

import { UNKNOWN } from '../model/facts/earlier.js';
import type { State } from '../model/facts/state.js';
import type { Table } from '../model/facts/table.js';
import type { Settings } from '../model/reading/settings.js';
import type { LeftState } from '../results/watch-result.js';
import type { Observed } from './exchange.js';
import { judgedAlone } from './judging.js';

/** The tables of a state whose entries a break may be about, and the name of an entry in a report. */
const SUBJECTS = {
  agents: 'agent',
  payments: 'payment',
  sponsorships: 'sponsorship',
  subsidies: 'subsidy',
  tickets: 'nonce or token',
  flags: 'complaint',
  receipts: 'receipt',
} as const satisfies Partial<Record<keyof State, string>>;

/** Fields that repeat the name of the entry, or that are records of earlier replies. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  'hash written metadata fields shown passport lineageShown isPartial child floorClauses'.split(' '),
);
const SUBJECTS_MAX = 4;
const NAME = /[\w.:+/=-]{8,}/g;

/** The known and unknown facts after some exchanges, about what the last one names. `before`: those before the last, in order. */
export function leftBefore(settings: Settings, before: readonly Observed[], last: Observed): readonly LeftState[] {
  const state = judgedAlone(settings, before, () => undefined);
  const { url, headers, body = '' } = last.request;
  const bearer = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const own = bearer === undefined ? undefined : state.keys.find(bearer)?.hash;
  const named = `${url.slice(url.indexOf('/', 9))} ${body}`.match(NAME) ?? [];
  const names = new Set([...(own === undefined ? [] : [own]), ...named, ...named.map((name) => name.toLowerCase())]);
  for (const name of [...names]) for (const part of name.split('/')) names.add(part);
  const subjects = Object.entries(SUBJECTS).flatMap(([table, word]) => {
    const entries = state[table as keyof typeof SUBJECTS] as Table<object>;
    const keys = entries.keys().filter((key) => names.has(key) || key.split(' ').some((part) => names.has(part)));
    return keys.map((key) => leftOf(`${word} ${key}`, entries.find(key) ?? {}));
  });
  const lacking =
    own === undefined && bearer !== undefined ? [{ subject: 'agent of the key', known: {}, unknown: ['all'] }] : [];
  return [...lacking, ...subjects.slice(0, SUBJECTS_MAX), serviceOf(state)];
}

/** The facts about the service that no entry has. */
function serviceOf({ nowMs, anchor, intervalBeats, byoWallet, beatsRequired, shownFees, settings }: State): LeftState {
  const time = nowMs === undefined ? undefined : new Date(nowMs).toISOString();
  const fees = settings.feesOpen === true ? { fees: shownFees } : {};
  return leftOf('service', { time, anchor, intervalBeats, byoWallet, beatsRequired, ...fees });
}

function leftOf(subject: string, entry: object): LeftState {
  const known: Record<string, string | number | boolean | null> = {};
  const unknown: string[] = [];
  const note = (path: string, value: unknown): void => {
    if (value === UNKNOWN || value === undefined) unknown.push(path);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set))
      for (const [field, each] of Object.entries(value)) note(`${path}.${inWords(field)}`, each);
    else if (['string', 'number', 'boolean'].includes(typeof value) || value === null)
      known[path] = value as string | number | boolean | null;
  };
  for (const [field, value] of Object.entries(entry)) if (!LEFT_OUT.has(field)) note(inWords(field), value);
  return { subject, known, unknown };
}

/** A field of the model in words: `lastBeat` is `last beat`. */
const inWords = (field: string): string => field.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
