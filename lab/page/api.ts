/**
 * The page's side of the API: the token, actions, and the stream of events, which all tabs share. One tab reads it and passes it on;
 * when that tab closes, another one goes on after the last event that it has seen. It draws nothing.
 */

import { signal } from '@preact/signals-core';

/** An event of the stream. */
export interface LabEvent {
  readonly seq: number;
  readonly kind: string;
  readonly data: unknown;
}

/** A refusal of an action, in words for the user. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

const KEY = 'aips-lab-token';
/** The place that a tab without a token was asked for: it is opened once there is one. */
const WANTED = 'aips-lab-wanted';
const RETRY_MS = 500;

/** `door`: this tab has no token; `lost`: the server does not answer. */
export const connection = signal<'opening' | 'open' | 'door' | 'lost'>('opening');
/** Grows when data derived from events must be read again. */
export const reload = signal(0);

/** The lab has refused the token that this tab had. */
export const isRefused = signal(false);

let token = '';

function shut(): void {
  if (location.hash !== '') sessionStorage.setItem(WANTED, location.hash.slice(1));
  isRefused.value = token !== '';
  connection.value = 'door';
}

/** A session: `answer` is that of the first action, where it came with the token. */
interface Session<T> {
  readonly answer?: T;
}

/** `#code=CODE`, with the place that the tab opens after it: `#code=CODE/server/agents`. */
const CODE = /^#code=([\w-]+)(?:\/(.*))?$/;

/**
 * Takes the code out of the address, which then names the place alone, and exchanges it for the token, with the answer of a first action; or
 * takes the token of this tab. Undefined without either.
 */
export async function openSession<T>(first: string): Promise<Session<T> | undefined> {
  // An address with a code that is entered in an open tab changes its fragment alone: the page would not be read again.
  addEventListener('hashchange', () => CODE.test(location.hash) && location.reload());
  const [, code, place = ''] = CODE.exec(location.hash) ?? [];
  token = sessionStorage.getItem(KEY) ?? '';
  if (code !== undefined) {
    const wanted = place || (sessionStorage.getItem(WANTED) ?? '');
    history.replaceState(null, '', wanted === '' ? '/' : `/#${wanted}`);
    const reply = await post('session', { code, first }).catch(() => undefined);
    if (reply?.ok) {
      const opened = (await reply.json()) as { token: string; answer: T };
      token = opened.token;
      sessionStorage.setItem(KEY, token);
      sessionStorage.removeItem(WANTED);
      return opened;
    }
  }
  if (token !== '') return {};
  shut();
  return undefined;
}

function post(path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Does an action. Throws Refused with the reason that the server gives. */
export async function act<T>(path: string, body: object = {}): Promise<T> {
  let reply: Response;
  try {
    reply = await post(path, body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    connection.value = 'lost';
    throw new Refused('The lab does not answer. Is `aips lab` still running?');
  }
  if (reply.status === 401) shut();
  const answer = (await reply.json()) as { readonly detail?: string };
  if (!reply.ok) throw new Refused(answer.detail ?? `status ${reply.status}`);
  return answer as T;
}

/** A place in the stream: a run of the server, and the last event of it. */
export interface Place {
  run: string;
  seq: number;
}

/**
 * Follows the stream for as long as the tab is open; each event after the place that `begin` reads is handled once, in order. Events that another
 * tab passes on meanwhile wait.
 */
export async function follow(
  begin: () => Promise<Place | undefined>,
  handle: (event: LabEvent) => void,
): Promise<void> {
  const channel = new BroadcastChannel('aips-lab-stream');
  const early: LabEvent[] = [];
  channel.onmessage = ({ data }: MessageEvent<LabEvent>) => early.push(data);
  let begun = await begin();
  while (begun === undefined) {
    if (connection.value === 'door') return channel.close();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    begun = await begin();
  }
  const place = { ...begun };
  const take = (event: LabEvent): void => {
    if (event.kind === 'hello') {
      const { run, gap } = event.data as { readonly run: string; readonly gap: boolean };
      if (gap) reload.value += 1;
      place.run = run;
      place.seq = Math.max(gap ? 0 : place.seq, event.seq);
      connection.value = 'open';
    } else if (event.kind === 'lost') connection.value = 'lost';
    else if (event.seq > place.seq) {
      place.seq = event.seq;
      handle(event);
    }
  };
  const pass = (event: LabEvent): void => {
    take(event);
    channel.postMessage(event);
  };
  connection.value = 'open';
  for (const event of early) take(event);
  channel.onmessage = ({ data }: MessageEvent<LabEvent>) => take(data);
  const lead = async (): Promise<void> => {
    for (;;) {
      await readOnce(place, pass);
      if (connection.value === 'door') return;
      pass({ seq: place.seq, kind: 'lost', data: null });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  void navigator.locks.request('aips-lab-stream', lead);
}

/** Reads the stream until it ends, however it ends. */
async function readOnce({ run, seq }: Place, take: (event: LabEvent) => void): Promise<void> {
  const reply = await post('stream', { run, after: seq }).catch(() => undefined);
  if (reply?.status === 401) shut();
  if (reply === undefined || !reply.ok || reply.body === null) return;
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const piece = await reader.read().catch(() => ({ done: true as const, value: undefined }));
    if (piece.done) return;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as LabEvent);
  }
}
