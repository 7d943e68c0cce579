/** The frame of the page: navigation, the state of the connection, notes, and the view that is chosen. */

import { SIGNS } from '../../reports/views/parts.js';
import { act, connection, isRefused } from './api.js';
import { ConformanceView } from './conformance/conformance-view.js';
import { FirstView } from './first-view.js';
import { html, useEffect, useLive, type VNode } from './markup.js';
import { followAddress, goTo, hrefTo, openName, route } from './place.js';
import { titleOf, VIEW_NAMES, type ViewName, wrongTimeOf } from './routes.js';
import { runWords } from './run-words.js';
import { openSearch, Search } from './search.js';
import { ServerView } from './server/server-view.js';
import { ShellCommand } from './shell-command.js';
import { SimulationView } from './simulation/simulation-view.js';
import { changeVerdict } from './specification/judging.js';
import { SpecificationView } from './specification/specification-view.js';
import { changeWatched, figures, isRestarted, note, simulation, watched } from './store.js';

const VIEWS: Readonly<Record<ViewName, readonly [text: string, path: string]>> = {
  overview: ['Overview', 'M3 11l9-8 9 8v9h-6v-6H9v6H3z'],
  server: ['Server', 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01'],
  conformance: ['Conformance', 'M4 12l5 5L20 6'],
  simulation: ['Simulation', 'M3 17l5-6 4 3 5-8 4 5'],
  specification: ['Specification', 'M6 3h9l4 4v14H6zM9 12h7M9 16h7'],
};

/** The whole page. */
export function Shell(): VNode {
  const state = useLive(() => connection.value);
  const open = useLive(() => route.value);
  useLive(() => figures.value?.past?.atMs);
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') note.value = null;
      if (!event.altKey || event.ctrlKey || event.metaKey) return;
      const chosen = VIEW_NAMES[Number(event.key) - 1];
      if (chosen === undefined) return;
      event.preventDefault();
      goTo(chosen);
    };
    const stop = followAddress();
    addEventListener('keydown', key);
    return () => {
      stop();
      removeEventListener('keydown', key);
    };
  }, []);
  const tab = useLive(tabVerdict);
  const where = useLive(() => titleOf(route.value, openName.value));
  useEffect(() => {
    document.title = `${where}, ${tab}aips lab`;
  }, [where, tab]);
  if (state === 'door') return html`<${Door} />`;
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <nav class="rail" aria-label="Views"><p class="brand"><span class="mark" aria-hidden="true"></span>aips lab</p>
      <button type="button" class="quiet find" title="Ctrl+K" onClick=${openSearch}>Search</button>
      <ul>${VIEW_NAMES.map((id, at) => {
        const [text, path] = VIEWS[id];
        return html`<li><a href=${hrefTo(id)} aria-current=${id === open?.view ? 'page' : undefined} title=${`Alt+${at + 1}`}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg><span>${text}</span><${Badge} view=${id} /></a></li>`;
      })}</ul>
      <${Tabs} /></nav>
    <main id="main" tabindex="-1">${open === undefined ? html`<${Unknown} />` : content(open.view)}</main>
    <${Search} />
    <div class="notes">${state === 'lost' ? html`<p class="banner bad" role="alert">The lab does not answer. It is tried again until it comes back. Texts in editors are kept.</p>` : null}<${Restarted} /><${Note} /></div>`;
}

/** The verdict in the title of the tab: in the Specification view that of the change, never that of another run. */
function tabVerdict(): string {
  if (route.value?.view === 'specification' && changeVerdict.value !== undefined) {
    const { tone, word } = changeVerdict.value;
    return `${SIGNS[tone]} ${word}, `;
  }
  const run = route.value?.view === 'specification' ? null : watched.value;
  return run === null ? '' : `${runWords(run).badge} ${runWords(run).title}, `;
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** An address that no place of the page has. */
function Unknown(): VNode {
  const wrongTime = wrongTimeOf(location.hash);
  return html`<h1>Nothing has this address</h1>
    <p class="lead">${wrongTime === undefined ? html`No place of the lab is called <code>${location.hash.slice(0, 200)}</code>. It was cut, or it is of another version.` : html`<code>${wrongTime.slice(0, 100)}</code> is not a time. Write it in UTC, as <code>at=2026-01-01T06:00:00Z</code>.`}</p>
    <ul>${VIEW_NAMES.map((id) => html`<li><a href=${hrefTo(id)}>${VIEWS[id][0]}</a></li>`)}</ul>`;
}

function content(name: ViewName): VNode {
  switch (name) {
    case 'overview':
      return html`<${FirstView} />`;
    case 'server':
      return html`<${ServerView} />`;
    case 'conformance':
      return html`<${ConformanceView} />`;
    case 'simulation':
      return html`<${SimulationView} />`;
    case 'specification':
      return html`<${SpecificationView} />`;
    default:
      return name satisfies never;
  }
}

function Badge({ view: name }: { readonly view: ViewName }): VNode | null {
  const text = useLive(() => {
    if (name === 'conformance' && watched.value !== null) return runWords(watched.value).badge;
    if (name === 'specification' && changeWatched.value?.state === 'running')
      return runWords(changeWatched.value).badge;
    if (name === 'server' && figures.value?.moving === true) return 'moves';
    if (name === 'simulation' && simulation.value?.state === 'running') return percent(simulation.value.share);
    return '';
  });
  return text === '' ? null : html`<span class="badge">${text}</span>`;
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`;

function Tabs(): VNode {
  const open = async (): Promise<void> => {
    const { url } = await act<{ url: string }>('code');
    // The new tab opens where this one is.
    window.open(`${url}/${location.hash.slice(1)}`, '_blank', 'noopener');
  };
  return html`<button type="button" class="quiet tab" onClick=${open}>New tab</button>`;
}

function Note(): VNode | null {
  const said = useLive(() => note.value);
  if (said === null) return null;
  const close = html`<button type="button" class="quiet" onClick=${() => (note.value = null)}>Close</button>`;
  return said.kind === 'error'
    ? html`<div class="banner bad" role="alert"><p>${said.text}</p>${close}</div>`
    : html`<div class="banner" role="status"><${ShellCommand} text=${said.text} />${close}</div>`;
}

function Restarted(): VNode | null {
  if (!useLive(() => isRestarted.value)) return null;
  return html`<div class="banner" role="alert"><p>The lab was started again: its world is a new one, and earlier runs and results are gone. Texts in editors are kept.</p><button type="button" class="quiet" onClick=${() => (isRestarted.value = false)}>Close</button></div>`;
}

function Door(): VNode {
  if (isRefused.value)
    return html`<main id="main" class="door" tabindex="-1"><p class="brand"><span class="mark" aria-hidden="true"></span>aips lab</p>
    <h1>The lab was started again, with another key</h1>
    <p>What it had in memory is gone. Texts that you have written in this tab are kept: open the address that <code>aips lab</code> now prints, here.</p>
    <p>With <code>--token-file FILE</code> and the same <code>--port</code>, open tabs go on after a restart.</p></main>`;
  return html`<main id="main" class="door" tabindex="-1"><p class="brand"><span class="mark" aria-hidden="true"></span>aips lab</p>
    <h1>This tab needs a key</h1>
    <p>The lab answers only tabs that its own command has opened. The address that <code>aips lab</code> prints works once.</p>
    <ul><li>Another tab of the lab is open: choose <b>New tab</b> there.</li><li>None is: stop <code>aips lab</code> and start it again; it opens this page.</li></ul></main>`;
}
