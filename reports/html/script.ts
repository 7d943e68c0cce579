/**
 * The script of a report's page: it filters clauses by text, state and level, copies curl scripts, opens the part that a link
 * points to, and expands clauses and transcripts. The page can be read without it: every control that needs the script is hidden
 * or absent until the script runs.
 */

import { UNFOLD } from './unfold-bundle.js';

/** The whole script. It begins with the bundle, which defines `unfold`. */
export const SCRIPT = `
(() => {
  'use strict';
${UNFOLD}
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const copy = (button, text) => {
    const done = () => {
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    };
    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(button.parentElement.querySelector('pre'));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (document.execCommand('copy')) done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, select);
    else select();
  };
  const addCopyButtons = (root) => all('.script', root).filter((script) => !script.querySelector('button')).forEach((script) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button, script.querySelector('pre').textContent));
    script.append(button);
  });
  addCopyButtons(document);

  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed.content.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return JSON.parse(await new Response(stream).text());
  };

  const folded = all('.folded');
  let clauseMarkup;
  const showClauses = (root) => folded.forEach((place, at) => {
    if (!clauseMarkup || !place.isConnected || !root.contains(place)) return;
    place.outerHTML = clauseMarkup[at].replace(unfold.CLAUSE_TEXT, () => place.innerHTML);
  });
  const openClauses = async () => {
    const packed = document.getElementById('packed-clauses');
    if (!packed) return;
    const note = document.getElementById('folded-note');
    try {
      clauseMarkup = await unpack(packed);
      note.hidden = true;
    } catch (error) {
      note.textContent += ' This browser cannot unfold it: ' + error.message;
    }
  };
  const clausesOpened = openClauses();
  const unfoldClauses = async (root) => {
    await clausesOpened;
    showClauses(root);
    addCopyButtons(root);
  };

  const openTranscripts = async () => {
    const packed = document.getElementById('packed-transcripts');
    return unfold.unfolding(await unpack(packed), packed.dataset.file);
  };
  let transcripts;
  const showTranscript = async (details) => {
    const place = details.querySelector(':scope > .body > .packed');
    if (!place) return;
    try {
      transcripts ??= openTranscripts();
      const markupOf = await transcripts;
      if (place.isConnected) place.outerHTML = markupOf(place.dataset.check);
    } catch (error) {
      place.textContent = 'This browser cannot unfold the transcript: ' + error.message;
    }
    addCopyButtons(details);
  };
  addEventListener('toggle', ({ target }) => {
    if (target.open && target.matches('.check')) showTranscript(target);
    if (target.open && target.matches('.section')) unfoldClauses(target);
  }, true);
  for (const section of all('.section[open]')) unfoldClauses(section);

  const openTarget = async () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id === '') return;
    const place = document.getElementById(id);
    if (!place || place.matches('.folded')) await unfoldClauses(place?.closest('.section') ?? document);
    const target = document.getElementById(id);
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', openTarget);
  openTarget();
  addEventListener('beforeprint', () => {
    showClauses(document);
    for (const section of all('.section')) section.open = true;
  });

  const form = document.querySelector('.filter');
  if (!form) return;
  const sections = all('.section').map((element) => ({ element, open: element.open }));
  const readClauses = async () => {
    await unfoldClauses(document);
    return all('.clause').map((element) => ({
      element,
      text: all('.find', element).map((part) => part.textContent.toLowerCase()).join(' '),
      state: element.dataset.state,
      level: element.dataset.level,
    }));
  };
  let reading;
  const apply = async () => {
    reading ??= readClauses();
    const clauses = await reading;
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const boxes = all('input[type=checkbox]', form);
    const checked = boxes.filter((box) => box.checked);
    const chosen = new Set(checked.map((box) => box.name + ' ' + box.value));
    const active = words.length > 0 || checked.length < boxes.length;
    let shown = 0;
    for (const { element, text, state, level } of clauses) {
      const wanted = chosen.has('state ' + state) && chosen.has('level ' + level);
      element.hidden = !wanted || !words.every((word) => text.includes(word));
      if (!element.hidden) shown += 1;
    }
    for (const { element, open } of sections) {
      const some = all('.clause', element).some((clause) => !clause.hidden);
      element.hidden = !some;
      element.open = active ? some : open;
    }
    form.querySelector('output').textContent = shown + ' of ' + clauses.length + ' clauses shown';
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
})();
`;
