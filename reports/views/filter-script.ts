/** The part of a page's script that filters clauses by words, state and level. */
import type { ClauseContext } from './clauses.js';
import { anchorOf } from './markup.js';

interface Searched {
  readonly element: HTMLElement;
  readonly text: string;
}

/** Makes the form filter the clauses of its page; `reading` has the checks of those that are folded. */
export function filterClauses(form: HTMLFormElement, reading: Promise<ClauseContext | undefined>): void {
  const clauses = [...document.querySelectorAll<HTMLElement>('.clause')];
  const sections = [...document.querySelectorAll<HTMLDetailsElement>('.section')].map((element) => ({
    element,
    open: element.open,
  }));
  let searched: Promise<readonly Searched[]> | undefined;
  const search = async (): Promise<readonly Searched[]> => {
    const context = await reading;
    const folded = new Map(context?.result.clauses.map((clause) => [anchorOf('clause', clause.id), clause]));
    const titles = new Map(context?.result.checks.map(({ id, title }) => [id, title]));
    return clauses.map((element) => {
      const shown = [...element.querySelectorAll('.find, summary')].map(({ textContent }) => textContent);
      const checks = folded.get(element.id)?.checks.map((id) => `${id} ${titles.get(id) ?? ''}`) ?? [];
      return { element, text: [element.id, ...shown, ...checks].join(' ').toLowerCase() };
    });
  };
  const apply = async (): Promise<void> => {
    searched ??= search();
    const rows = await searched;
    const words =
      form.querySelector<HTMLInputElement>('[type=search]')?.value.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const boxes = [...form.querySelectorAll<HTMLInputElement>('[type=checkbox]')];
    const chosen = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
    const active = words.length > 0 || chosen.size < boxes.length;
    let shown = 0;
    for (const { element, text } of rows) {
      const { state = 'holds', level = 'must' } = element.dataset;
      element.hidden = !chosen.has(state) || !chosen.has(level) || !words.every((word) => text.includes(word));
      if (!element.hidden) shown += 1;
    }
    for (const { element, open } of sections) {
      const some = element.querySelector('.clause:not([hidden])') !== null;
      element.hidden = !some;
      element.open = active ? some : open;
    }
    const output = form.querySelector('output');
    if (output !== null) output.textContent = `${shown} of ${rows.length} clauses shown`;
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
}
