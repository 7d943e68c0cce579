/** The part of a page's script that reads the matrix of clauses: by the pointer, and by the arrow keys from one tab stop. */
import { CELL_STATES, type CellState, cellLabel, reportedState, stateText } from '../conformance/clause-states.js';
import { anchorOf } from './markup.js';

const anchorAt = (link: HTMLAnchorElement): string => decodeURIComponent(link.hash.slice(1));

const stateAt = (link: Element): CellState => CELL_STATES.find((each) => link.classList.contains(each)) ?? 'holds';

function nameCell(link: HTMLAnchorElement): void {
  link.setAttribute('aria-label', `${anchorAt(link).slice('clause-'.length)}: ${cellLabel(stateAt(link))}`);
}

/** The cells below `root`, in the order of these clauses. */
export function cellsOf(root: ParentNode, ids: readonly string[]): readonly (HTMLAnchorElement | undefined)[] {
  const byAnchor = new Map(
    [...root.querySelectorAll<HTMLAnchorElement>('.cells a')].map((link) => [anchorAt(link), link]),
  );
  return ids.map((id) => byAnchor.get(anchorOf('clause', id)));
}

/** Brings cells to their states. Only those that are in another state are touched, and the counts of their rows. */
export function paintCells(cells: readonly (HTMLAnchorElement | undefined)[], states: readonly CellState[]): void {
  const rows = new Set<Element>();
  for (const [at, link] of cells.entries()) {
    const state = states[at];
    const row = link?.closest('.row');
    if (!link || !row || state === undefined || stateAt(link) === state) continue;
    link.classList.remove(...CELL_STATES);
    if (state !== 'holds') link.classList.add(state);
    nameCell(link);
    rows.add(row);
  }
  for (const row of rows) {
    row.classList.toggle('bad', row.querySelector('.fails:not(.d)') !== null);
    const own = [...row.querySelectorAll('.cells a')].map((link) => ({ state: reportedState(stateAt(link)) }));
    const counts = row.querySelector('.unseen');
    if (counts !== null) counts.textContent = `: ${stateText(own)}`;
  }
}

/** Makes the matrix below `root` walkable. `textOf`: the words of the clause that an anchor leads to. May be called again. */
export function readMatrix(root: ParentNode, textOf: (anchor: string) => string): void {
  const matrix = root.querySelector<HTMLElement>('.matrix');
  const readout = matrix?.querySelector('.readout');
  if (!matrix || !readout) return;
  const rows = [...matrix.querySelectorAll('.row')].map((row) => [...row.querySelectorAll('a')]);
  const all = rows.flat();
  for (const cells of matrix.querySelectorAll('.cells')) cells.removeAttribute('aria-hidden');
  for (const link of all) {
    link.tabIndex = link === all[0] ? 0 : -1;
    if (!link.matches('.name')) nameCell(link);
  }
  const linkOf = ({ target }: Event): HTMLAnchorElement | undefined =>
    all.find((link) => link.contains(target as Node));
  const say = (link: HTMLAnchorElement | undefined): void => {
    if (link !== undefined) readout.textContent = link.matches('.name') ? link.textContent : textOf(anchorAt(link));
  };
  matrix.onpointerover = (event) => say(linkOf(event));
  matrix.onkeydown = (event) => {
    const from = linkOf(event);
    const row = rows.findIndex((links) => links.some((link) => link === from));
    const links = rows[row];
    if (from === undefined || links === undefined) return;
    const at = links.indexOf(from);
    const aligned = (next: readonly HTMLAnchorElement[] | undefined) => next?.[Math.min(at, next.length - 1)];
    const to = {
      ArrowLeft: links[at - 1],
      ArrowRight: links[at + 1],
      ArrowUp: aligned(rows[row - 1]),
      ArrowDown: aligned(rows[row + 1]),
      Home: links[0],
      End: links.at(-1),
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    for (const each of all) each.tabIndex = each === to ? 0 : -1;
    to.focus();
    say(to);
  };
}
