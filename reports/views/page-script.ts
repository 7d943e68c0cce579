/**
 * The script of every page, in the reader's browser: it unfolds clauses and transcripts, opens the place that a link leads to, filters
 * clauses, copies commands, reads charts and the matrix, plays the life of a population. The page can be read without it: a control that needs it is hidden or absent until it
 * runs. build/bundle-page-script.mjs makes page-script-bundle.ts of this file and of what it imports, which must need nothing of Node.
 */
import type { Exchange } from '../../results/conformance-result.js';
import { fromBase85 } from './base85.js';
import { readCharts } from './chart-reader.js';
import { checkAnchor } from './check.js';
import { ClauseBody, type ClauseContext } from './clauses.js';
import { addCopyButtons } from './copy-buttons.js';
import { filterClauses } from './filter-script.js';
import type { PackedLife } from './life.js';
import { readLife } from './life-reader.js';
import { anchorOf, show } from './markup.js';
import { readMatrix } from './matrix-reader.js';
import { type TextsApart, textsJoined } from './texts-apart.js';
import { TranscriptBlock } from './transcript.js';

const all = (selector: string, root: ParentNode = document): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

async function unpacked<Value>(id: string): Promise<Value | undefined> {
  const packed = document.querySelector<HTMLTemplateElement>(`template#${id}`);
  if (packed === null) return undefined;
  const stream = new Blob([fromBase85(packed.content.textContent ?? '')])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text()) as Value;
}

let context: ClauseContext | undefined;

const contextRead = (async () => {
  const note = document.getElementById('folded-note');
  try {
    context = await unpacked<ClauseContext>('packed-clauses');
    if (note !== null) note.hidden = true;
  } catch (error) {
    note?.append(` This browser cannot unfold it: ${error}`);
  }
})();

function unfold(clause: Element): void {
  const found = context?.result.clauses.find(({ id }) => anchorOf('clause', id) === clause.id);
  if (!clause.matches('.folded') || context === undefined || found === undefined) return;
  const place = document.createElement('div');
  show(ClauseBody({ clause: found, context }), place);
  clause.append(place);
  clause.className = 'clause';
  addCopyButtons(clause);
}

let transcripts: Promise<ReadonlyMap<string, readonly Exchange[]>> | undefined;

async function showTranscript(check: Element): Promise<void> {
  const place = check.querySelector<HTMLElement>(':scope > .body > .packed');
  if (place === null) return;
  try {
    transcripts ??= unpacked<TextsApart>('packed-transcripts').then(
      (apart) => new Map(apart === undefined ? [] : textsJoined(apart)),
    );
    const exchanges = (await transcripts).get(place.dataset['check'] ?? '') ?? [];
    const { file = '' } = document.querySelector<HTMLElement>('#packed-transcripts')?.dataset ?? {};
    if (place.className === 'packed') show(TranscriptBlock({ exchanges, file }), place);
    place.className = '';
  } catch (error) {
    place.textContent = `This browser cannot unfold the transcript: ${error}`;
  }
  addCopyButtons(check);
}

/** Opens what a link leads to before the reader is brought there, so that nothing above it changes its height afterwards. */
async function openTarget(): Promise<void> {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === '') return;
  if (document.getElementById(id) === null) {
    await contextRead;
    const check = context?.result.checks.find((one) => checkAnchor(one.id) === id);
    const home = check && document.getElementById(anchorOf('clause', context?.homes[check.id] ?? ''));
    if (home) unfold(home);
  }
  const target = document.getElementById(id);
  if (target === null) return;
  for (let node: Element | null = target; node !== null; node = node.parentElement) {
    if (!(node instanceof HTMLDetailsElement)) continue;
    if (node.matches('.clause')) {
      await contextRead;
      unfold(node);
    }
    node.open = true;
    if (node.matches('.check')) await showTranscript(node);
  }
  target.scrollIntoView();
}

addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    if (target.matches('.check')) showTranscript(target);
    if (target.matches('.clause')) contextRead.then(() => unfold(target));
  },
  true,
);
addEventListener('hashchange', openTarget);
addEventListener('click', ({ target }) => {
  // A link to the place where the reader already is changes no hash.
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
  if (link?.hash === location.hash) openTarget();
});
addEventListener('beforeprint', () => {
  for (const clause of all('.folded')) unfold(clause);
  for (const details of all('details.section, details.clause')) (details as HTMLDetailsElement).open = true;
});

readMatrix(document, (anchor) => {
  const summary = document.getElementById(anchor)?.querySelector('summary');
  return `${anchor.slice('clause-'.length)}: ${(summary?.querySelector('.find') ?? summary)?.textContent}`;
});
addCopyButtons(document);
readCharts(document);
const life = document.getElementById('life');
if (life !== null)
  unpacked<PackedLife>('packed-life').then(
    (packed) => packed && readLife(life, packed),
    (error) => life.append(`This browser cannot play it: ${error}`),
  );
const form = document.querySelector<HTMLFormElement>('form.filter');
if (form !== null)
  filterClauses(
    form,
    contextRead.then(() => context),
  );
openTarget();
