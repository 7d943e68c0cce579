/** The search over the whole page, in a dialog: words find agents, sections, clauses, checks and requests, each a link to its place. */

import type { Found } from '../server/search-actions.js';
import { html, useEffect, useRef, useState, type VNode } from './markup.js';
import { goTo, hrefTo } from './place.js';
import { attempt } from './store.js';

const HEADS: Readonly<Record<Found['kind'], string>> = {
  agent: 'Agents',
  section: 'Sections',
  clause: 'Clauses',
  check: 'Checks',
  request: 'Requests',
};

const placeOf = ({ kind, id }: Found): Parameters<typeof hrefTo> => [
  kind === 'agent' || kind === 'request' ? 'server' : 'conformance',
  kind,
  id,
];

/** Opens the dialog; what was searched before is chosen. */
export function openSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search');
  if (dialog?.open === false) dialog.showModal();
  dialog?.querySelector('input')?.select();
}

/** The dialog of the search. Ctrl+K opens it, too. */
export function Search(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[] | undefined>(undefined);
  const asked = useRef(0);
  const [isOld, setOld] = useState(false);
  /** Enter was pressed before the answer came. */
  const opensFirst = useRef(false);
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openSearch();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  const search = async (words: string): Promise<void> => {
    setText(words);
    const turn = ++asked.current;
    opensFirst.current = false;
    setOld(true);
    const answer = await attempt<{ readonly found: readonly Found[] }>('search', { text: words });
    if (turn !== asked.current) return;
    setFound(answer?.found);
    setOld(false);
    if (opensFirst.current) openFirst(answer?.found);
  };
  const close = (): void => dialog.current?.close();
  const openFirst = (hits: readonly Found[] = []): void => {
    const [first] = hits;
    if (first === undefined) return;
    close();
    goTo(...placeOf(first));
  };
  const step = (event: KeyboardEvent): void => {
    // A field of type search keeps the first Escape for itself.
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      // Hits of earlier words are not opened.
      if (isOld) opensFirst.current = true;
      else openFirst(found);
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const stops = [...(dialog.current?.querySelectorAll<HTMLElement>('input, li a') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
  };
  const kinds = Object.entries(HEADS).map(([kind, head]) => ({
    head,
    things: (found ?? []).filter((each) => each.kind === kind),
  }));
  // The dot before an address tells assistive technology that it is no link within the page.
  return html`<dialog class="search" ref=${dialog} aria-label="Search" onKeyDown=${step}>
      <input
        type="search"
        aria-label="Search agents, sections, clauses, numbers, checks and requests"
        placeholder="An agent, a section, a clause, a number, a check, a request"
        value=${text}
        onInput=${(event: InputEvent) => search((event.currentTarget as HTMLInputElement).value)}
      />
      <p class="soft" role="status">${text.trim() === '' ? 'Words of an id, a name or a text.' : isOld ? 'Searching…' : found?.length === 0 ? 'Nothing has all these words.' : ''}</p>
      <div class=${isOld ? 'old' : ''} aria-busy=${String(isOld)}>${kinds
        .filter(({ things }) => things.length > 0)
        .map(
          ({ head, things }) => html`<section>
            <h3>${head}</h3>
            <ul>
              ${things.map((each) => html`<li key=${each.id}><a href=${`./${hrefTo(...placeOf(each))}`} onClick=${close}>${each.kind === 'request' ? '' : html`<code>${each.kind === 'agent' ? each.id.slice(0, 10) : each.id}</code> `}${each.title}</a></li>`)}
            </ul>
          </section>`,
        )}</div>
      <button type="button" class="quiet" onClick=${close}>Close</button>
    </dialog>`;
}
