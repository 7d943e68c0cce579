/**
 * The addresses of the page: `#view/kind/id?at=TIME`. Each thing that can be open has one, so that Back, bookmarks and links work. Pure
 * functions of a text; the address that is open is in place.ts.
 */

import { VERDICTS } from '../../reports/conformance/conformance-view.js';
import { anchorOf } from '../../reports/views/markup.js';

/** The views, in the order of the rail. */
export const VIEW_NAMES = ['overview', 'server', 'conformance', 'simulation', 'specification'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

/** The tables of the Server view: an address of its own for each. */
export const SERVER_PARTS = ['agents', 'requests', 'flags', 'ledger', 'fees', 'subsidies', 'partners'] as const;
export type ServerPart = (typeof SERVER_PARTS)[number];

/** The things of a report that a panel shows. */
export const SUBJECTS = ['clause', 'check', 'section', 'exchange'] as const;
export type SubjectKind = (typeof SUBJECTS)[number];

export type Kind = ServerPart | SubjectKind | 'agent' | 'request' | 'run' | 'scenario';

/** The search in a run. */
export interface Find {
  /** Words, all of which a check or a clause has. */
  readonly text: string;
  /** The verdict of the checks; empty for all. */
  readonly verdict: string;
}

/** A place on the page. */
export interface Route {
  readonly view: ViewName;
  /** The kind of thing that is open in the view; null for the view alone. */
  readonly kind: Kind | null;
  /** The name of what is open; empty for a table. */
  readonly id: string;
  /** An earlier moment of protocol time that the Overview and the Server view show, Unix ms; null for the present. */
  readonly atMs: number | null;
  /** The search in the run of the Conformance or the Specification view; absent where nothing is searched for. */
  readonly find?: Find;
}

const NUMBER = /^\d{1,15}$/;
const NAME = /^[^\p{Cc}]{1,200}$/u;
const EXCHANGE = /^\d{1,9}\/[^\p{Cc}]{1,200}$/u;
const TABLE = /^$/;
const subjects = { clause: NAME, check: NAME, section: NAME, exchange: EXCHANGE };

/** The things that each view can open, with the form of its name. */
const KINDS: Readonly<Record<ViewName, Partial<Record<Kind, RegExp>>>> = {
  overview: {},
  server: {
    ...(Object.fromEntries(SERVER_PARTS.map((part) => [part, TABLE])) as Record<ServerPart, RegExp>),
    agent: /^(?:0x[0-9a-f]{1,64}|\d{1,9})$/,
    request: NUMBER,
  },
  conformance: { ...subjects, run: NUMBER },
  simulation: { scenario: NAME },
  specification: subjects,
};

const AT = /^at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)$/;

/** Whether a view can show an earlier moment. */
export const showsMoments = (view: ViewName): boolean => view === 'overview' || view === 'server';

/** Whether a view shows a run that can be searched. */
const showsRuns = (view: ViewName): boolean => view === 'conformance' || view === 'specification';

/** The address of a place, from its `#`. */
export function addressOf({ view, kind, id, atMs, find = NOTHING }: Route): string {
  const path = [view, ...(kind === null ? [] : [kind]), ...(id === '' ? [] : id.split('/').map(encodeURIComponent))];
  const query = [
    ...(atMs === null ? [] : [`at=${new Date(atMs).toISOString()}`]),
    ...(find.text === '' ? [] : [`find=${encodeURIComponent(find.text)}`]),
    ...(find.verdict === '' ? [] : [`verdict=${find.verdict}`]),
  ];
  return `#${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** The place of an address; undefined where no place has it. An empty one is the Overview. */
export function routeOf(hash: string): Route | undefined {
  const [path = '', query, ...rest] = hash.replace(/^#/, '').split('?');
  if (path === '' && query === undefined) return { view: 'overview', kind: null, id: '', atMs: null };
  const anchored = ofAnchor(path);
  if (anchored !== undefined && query === undefined) return anchored;
  const pieces = path.split('/').map(decoded);
  const view = VIEW_NAMES.find((each) => each === pieces[0]);
  if (view === undefined || pieces.includes(undefined) || rest.length > 0) return undefined;
  const find = query !== undefined && showsRuns(view) ? findIn(query) : undefined;
  const atMs = query === undefined || find !== undefined ? null : timeIn(query);
  if (atMs === undefined || (atMs !== null && !showsMoments(view))) return undefined;
  const more = { atMs, ...(find === undefined ? {} : { find }) };
  if (pieces.length === 1) return { view, kind: null, id: '', ...more };
  const [, kind = '', ...names] = pieces as string[];
  const id = names.join('/');
  const form = Object.hasOwn(KINDS[view], kind) ? KINDS[view][kind as Kind] : undefined;
  return form?.test(id) === true ? { view, kind: kind as Kind, id, ...more } : undefined;
}

/** The place of an anchor of the static report, such as `clause-heartbeat.interval`: its links can be copied from the page, too. */
function ofAnchor(path: string): Route | undefined {
  const [, kind, name = ''] = /^(clause|check|section)-([A-Za-z0-9._-]{1,400})$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  const id = name.replace(/__|_([0-9a-f]{1,6})_/g, (_, code?: string) =>
    code === undefined ? '/' : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff)),
  );
  return anchorOf(kind, id) === path ? { view: 'conformance', kind: kind as SubjectKind, id, atMs: null } : undefined;
}

function decoded(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const NOTHING: Find = { text: '', verdict: '' };
const FIND = /^(?=.)(?:find=([^&=]+))?(?:(?:^|&)verdict=([a-z-]+))?$/;

/** The search of a query; undefined for any other query. */
function findIn(query: string): Find | undefined {
  const [whole, written = '', verdict = ''] = FIND.exec(query) ?? [];
  const text = decoded(written);
  const isKnown = verdict === '' || VERDICTS.some((each) => each.verdict === verdict);
  return whole !== undefined && isKnown && (text === '' || (text !== undefined && NAME.test(text)))
    ? { text, verdict }
    : undefined;
}

/** The time of a query, Unix ms; undefined for any other query. */
function timeIn(query: string): number | undefined {
  const ms = Date.parse(AT.exec(query)?.[1] ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** The text after `at=` of an address, where it names no time; undefined where another part of the address is wrong. */
export function wrongTimeOf(hash: string): string | undefined {
  const [, path = '', time] = /^(#[^?]*)\?at=([^&?]*)$/.exec(hash) ?? [];
  const place = routeOf(path);
  if (time === undefined || place === undefined || !showsMoments(place.view)) return undefined;
  return timeIn(`at=${time}`) === undefined ? decoded(time) : undefined;
}

const HEADS: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  server: 'Server',
  conformance: 'Conformance',
  simulation: 'Simulation',
  specification: 'Specification',
};

/** The title of a place: what is open in it, then its view. `name`: what the open thing is called, where its id says less. */
export function titleOf(route: Route | undefined, name = ''): string {
  if (route === undefined) return 'No such address';
  const { view, kind, id, atMs } = route;
  const opened = kind === null ? '' : id === '' ? `${kind}, ` : `${kind} ${name === '' ? id : name}, `;
  const moment = atMs === null ? '' : ` at ${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}`;
  return `${opened}${HEADS[view]}${moment}`;
}
