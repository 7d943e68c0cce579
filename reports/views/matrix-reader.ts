/** The part of a page's script that reads the matrix of clauses: by the pointer, and by the arrow keys from one tab stop. */
import { stateLabel } from '../conformance/clause-states.js';

const STATES = ['fails', 'not-judged', 'excluded'] as const;

/** Makes the matrix below `root` walkable. `textOf`: the words of the clause that an anchor leads to. May be called again. */
export function readMatrix(root: ParentNode, textOf: (anchor: string) => string): void {
  const matrix = root.querySelector<HTMLElement>('.matrix');
  const readout = matrix?.querySelector('.readout');
  if (!matrix || !readout) return;
  const rows = [...matrix.querySelectorAll('.row')].map((row) => [...row.querySelectorAll('a')]);
  const all = rows.flat();
  const anchorAt = (link: HTMLAnchorElement): string => decodeURIComponent(link.hash.slice(1));
  for (const cells of matrix.querySelectorAll('.cells')) cells.removeAttribute('aria-hidden');
  for (const link of all) {
    link.tabIndex = link === all[0] ? 0 : -1;
    if (link.matches('.name')) continue;
    const state = STATES.find((each) => link.classList.contains(each)) ?? 'holds';
    link.setAttribute('aria-label', `${anchorAt(link).slice('clause-'.length)}: ${stateLabel(state)}`);
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
