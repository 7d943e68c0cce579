/** The state of the lab as far as the page has read it, as signals, and how events change it. Views draw nothing else that moves. */

import { batch, signal } from '@preact/signals-core';
import type { Watched } from '../server/conformance/conformance-desk.js';
import type { Moment } from '../server/reference/moments.js';
import type { RegistryNews } from '../server/reference/registry-feed.js';
import type { LoggedRequest } from '../server/reference/request-log.js';
import type { serverFigures } from '../server/reference/server-actions.js';
import type { SimulationWord } from '../server/simulation/simulation-desk.js';
import type { JudgementWord } from '../server/specification/change-desk.js';
import { act, connection, follow, type LabEvent, type Place, reload } from './api.js';
import { marksChanged, readMarks, takeNews } from './server/alive-state.js';

/** The figures of the reference. */
export type Figures = ReturnType<typeof serverFigures>;

const REQUESTS_KEPT = 2_000;
const MOMENTS_KEPT = 600;
/** The longest that an event waits for a frame. */
const HIDDEN_MS = 250;

export const figures = signal<Figures | undefined>(undefined);
export const moments = signal<readonly Moment[]>([]);
export const requests = signal<readonly LoggedRequest[]>([]);
/** The latest run against the target. */
export const watched = signal<Watched | null>(null);
/** The latest run against a reference under a change. */
export const changeWatched = signal<Watched | null>(null);
/** The latest judgement of a change, as an event has told it; undefined before the first event. */
export const judgementWord = signal<JudgementWord | undefined>(undefined);
/** Whether the lab has been read: data that is missing then does not exist. */
export const isRead = signal(false);
export const target = signal<string | null>(null);
export const simulation = signal<Omit<SimulationWord, 'timesSec' | 'values'> | null>(null);
/** Grows when a run of either kind has ended. */
export const runsEnded = signal(0);
/** The samples of the simulation that is under way, by arm. */
export const samples = signal<
  Readonly<Record<string, { readonly timesSec: number[]; readonly values: Readonly<Record<string, number[]>> }>>
>({});
/** The folder in which the commands of the page run. */
export const folder = signal('');
/** The latest word to the user: a mistake, or the command that does the same. */
export const note = signal<{ readonly kind: 'error' | 'command'; readonly text: string } | null>(null);

const RUN_KEY = 'aips-lab-run';
/** Whether the lab has restarted since this tab first read it, and lost everything in memory. */
export const isRestarted = signal(false);

/** Notes the run of the server that this tab reads. */
function noteRun(run: string): void {
  const before = sessionStorage.getItem(RUN_KEY);
  if (before !== null && before !== run) isRestarted.value = true;
  sessionStorage.setItem(RUN_KEY, run);
}

/** True where the user wants nothing to move. */
export const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Actions whose command is shown when they are done. */
const SHOWN = ['/run', '/repeat', '/play', 'specification/difference'];

/** Does an action; a refusal becomes a note, and the result is undefined. */
export async function attempt<T>(path: string, body: object = {}): Promise<T | undefined> {
  try {
    const answer = await act<T & { readonly curl?: string; readonly command?: string }>(path, body);
    const shows = answer.curl !== undefined || SHOWN.some((ending) => path.endsWith(ending));
    const said = answer.curl ?? answer.command;
    // Some of these actions have no command: the note must not go on showing that of an earlier one.
    if (shows) note.value = said === undefined ? null : { kind: 'command', text: said };
    return answer;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // While the lab is lost a banner says so; a note would outlast its return.
    if (connection.value !== 'lost') note.value = { kind: 'error', text: error.message };
    return undefined;
  }
}

/** The state that the page reads once, since events do not repeat it, as of a place in the stream. */
export interface Overview {
  readonly stream: Place;
  readonly server: Figures;
  readonly moments: readonly Moment[];
  readonly requests: readonly LoggedRequest[];
  readonly conformance: Watched | null;
  readonly change: Watched | null;
  readonly simulation: SimulationWord | null;
  readonly target: string | null;
  readonly folder: string;
}

/** Reads an overview unless there is one, and follows the events after it. */
export async function start(first: Overview | undefined): Promise<void> {
  await follow(() => refresh(first), take);
  reload.subscribe((n) => n > 0 && void refresh());
}

let refreshing = 0;

/** Takes an overview, and returns its place in the stream. Events that come while it is read are applied to it afterwards. */
async function refresh(given?: Overview): Promise<Place | undefined> {
  refreshing += 1;
  const overview = given ?? (await attempt<Overview>('overview'));
  refreshing -= 1;
  const { seq = Number.POSITIVE_INFINITY } = overview?.stream ?? {};
  const later = waiting.filter((event) => event.seq > seq);
  waiting = waiting.filter((event) => event.seq <= seq);
  applyWaiting();
  if (overview === undefined) return undefined;
  batch(() => {
    moments.value = overview.moments;
    takeFigures(overview.server);
    isRead.value = true;
    noteRun(overview.stream.run);
    watched.value = overview.conformance;
    changeWatched.value = overview.change;
    simulation.value = overview.simulation;
    target.value = overview.target;
    folder.value = overview.folder;
    requests.value = overview.requests;
    runsEnded.value += 1;
    if (marksChanged.value > 0) void readMarks();
    waiting = later;
    applyWaiting();
  });
  return overview.stream;
}

let waiting: LabEvent[] = [];

/** Events of one frame change the page once. A hidden tab has no frames. */
function take(event: LabEvent): void {
  waiting.push(event);
  if (waiting.length > 1) return;
  requestAnimationFrame(applyWaiting);
  setTimeout(applyWaiting, HIDDEN_MS);
}

function applyWaiting(): void {
  if (refreshing > 0) return;
  const events = waiting;
  waiting = [];
  batch(() => {
    for (const event of events) apply(event);
  });
}

function apply({ kind, data }: LabEvent): void {
  if (kind === 'server') takeFigures(data as Figures);
  else if (kind === 'requests') {
    const { entries } = data as { readonly entries: readonly LoggedRequest[] };
    const last = requests.value.at(-1)?.n ?? 0;
    requests.value = [...requests.value, ...entries.filter(({ n }) => n > last)].slice(-REQUESTS_KEPT);
  } else if (kind === 'conformance') {
    const run = data as Watched;
    (run.changed ? changeWatched : watched).value = run;
    if (run.state !== 'running') runsEnded.value += 1;
  } else if (kind === 'judgement') judgementWord.value = data as JudgementWord;
  else if (kind === 'registry') takeNews(data as RegistryNews);
  else if (kind === 'simulation') takeWord(data as SimulationWord);
}

function takeFigures(now: Figures): void {
  figures.value = now;
  if (now.past !== null || now.nowMs === moments.value.at(-1)?.nowMs) return;
  const all = [...moments.value.filter(({ nowMs }) => nowMs < now.nowMs), { nowMs: now.nowMs, counts: now.counts }];
  // Where there are too many moments, every second one is dropped, so that the picture keeps its span.
  moments.value = all.length > MOMENTS_KEPT ? all.filter((_, at) => at % 2 === 0 || at === all.length - 1) : all;
}

function takeWord({ timesSec, values, ...word }: SimulationWord): void {
  if (word.n !== simulation.value?.n || word.name !== simulation.value.name) samples.value = {};
  if (timesSec.length > 0) {
    // The lists grow in place: a long run would copy them again and again.
    const arm = samples.value[word.arm] ?? {
      timesSec: [],
      values: Object.fromEntries(Object.keys(values).map((name) => [name, []])),
    };
    for (const sec of timesSec) arm.timesSec.push(sec);
    for (const [name, more] of Object.entries(values)) for (const value of more) arm.values[name]?.push(value);
    samples.value = { ...samples.value, [word.arm]: arm };
  }
  simulation.value = word;
  if (word.state !== 'running') runsEnded.value += 1;
}
