/**
 * The place that is open, as a signal that follows the address of the tab. The moment in an address is that of the lab: an address with
 * another one opens it, and where another tab opens one, the address of this tab follows.
 */

import { effect, signal } from '@preact/signals-core';
import { addressOf, type Kind, type Route, routeOf, showsMoments, type ViewName } from './routes.js';
import { attempt, figures, note } from './store.js';

/** The open place; undefined where no place has the address. */
export const route = signal<Route | undefined>(undefined);
/** The name of the open thing, once that is known: for the title of the tab. */
export const openName = signal('');

/** The lab opens a moment that the address names. */
let opening = false;

/** Whether the lab opens a moment. */
export const opensMoment = (): boolean => opening;

const shownMs = (): number | null => figures.value?.past?.atMs ?? null;

/** Reads the address, once no code is in it. */
export function readAddress(): void {
  route.value = routeOf(location.hash);
}

/** The address of a place at the moment that is shown. */
export function hrefTo(view: ViewName, kind: Kind | null = null, id = ''): string {
  const { view: open, find } = route.value ?? {};
  const more = view === open && find !== undefined ? { find } : {};
  return addressOf({ view, kind, id, atMs: showsMoments(view) ? shownMs() : null, ...more });
}

/** Opens a place at the moment that is shown. */
export function goTo(view: ViewName, kind: Kind | null = null, id = ''): void {
  location.hash = hrefTo(view, kind, id);
}

/** Opens another moment of the open place; null: the present. The address alone changes it, so that Back returns. */
export function goToMoment(atMs: number | null): void {
  const { view, kind, id } = route.value ?? { view: 'server', kind: null, id: '' };
  location.hash = addressOf({ view: showsMoments(view) ? view : 'server', kind, id, atMs });
}

/** Another address of the same place, without a step that Back returns from. */
export function nameAs(to: Route): void {
  history.replaceState(null, '', addressOf(to));
  route.value = to;
}

/** Follows the address, and the moment that the lab shows. Returns how to end that. */
export function followAddress(): () => void {
  const change = (): void => {
    const before = route.value;
    readAddress();
    // A word about an action is over when another view is shown.
    if (before?.view !== route.value?.view) {
      note.value = null;
      document.getElementById('main')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    void openMoment();
  };
  addEventListener('hashchange', change);
  void openMoment();
  const stop = effect(() => {
    const atMs = shownMs();
    // A place that the user goes to is not this effect's: its moment is opened.
    const open = route.peek();
    if (figures.value === undefined || opening || open === undefined || !showsMoments(open.view)) return;
    if (open.atMs !== atMs) nameAs({ ...open, atMs });
  });
  return () => {
    removeEventListener('hashchange', change);
    stop();
  };
}

/** Opens the moment of the address, unless it is shown. Addresses that come meanwhile are not queued: the last one is opened. */
async function openMoment(): Promise<void> {
  if (opening) return;
  let [shown, now] = [shownMs(), figures.value];
  let isAsked = false;
  opening = true;
  for (;;) {
    const open = route.value;
    if (open === undefined || !showsMoments(open.view) || open.atMs === shown) break;
    isAsked = true;
    shown = open.atMs;
    now = await (shown === null
      ? attempt<typeof figures.value>('server/present')
      : attempt<typeof figures.value>('server/back', { atMs: shown }));
  }
  opening = false;
  if (!isAsked) return;
  // The figures of the answer may come before the event that has them; after a refusal the address follows what is shown.
  if (now !== undefined) figures.value = now;
  else figures.value = figures.value === undefined ? undefined : { ...figures.value };
}
