/**
 * The place of an editor in a view: it is loaded when it is first shown, and says next to the text what is wrong with it, and what lint
 * finds. Its text, and what can be undone, are kept for the session.
 */

import { countText } from '../../results/numbers.js';
import type { PlaceWords } from '../server/editor-words.js';
import type { CheckedText } from '../server/linted.js';
import { draftOf, keepDraft } from './drafts.js';
import { html, useEffect, useRef, useState, type VNode } from './markup.js';
import { pill } from './parts.js';
import type { OpenEditor, SavedText, TextProblem } from './simulation/editor.js';
import { attempt } from './store.js';

interface Props {
  /** The view whose actions check a text and offer words; a scenario or sweep is checked under its name. */
  readonly view: 'simulation' | 'specification';
  readonly name?: string;
  readonly label: string;
  /** The name under which the text is kept. */
  readonly draft: string;
  /** The text without changes; another text needs another editor, by its `key`. */
  readonly original: string;
  /** The text from which this one was made: where it is another is shown first. */
  readonly madeFrom?: string | undefined;
  /** A text that is written over the one in the editor when it is another object. */
  readonly incoming?: { readonly text: string } | undefined;
  /** Called with the text it opens with and each new one, with how many problems it has, and whether it changes nothing. */
  readonly change: (text: string, problems: number, unchanged?: boolean) => void;
}

/** The text of an editor as the user left it; undefined where it is as it was. */
export function draftText(draft: string): string | undefined {
  return draftOf<SavedText>(draft)?.doc;
}

const TONES = { error: 'bad', warning: 'warm', note: 'plain' } as const;

/** The editor with a text. */
export function CheckedEditor({ view, name, label, draft, original, madeFrom, incoming, change }: Props): VNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | undefined>(undefined);
  const latest = useRef({ name, change });
  // One that came for another editor, before this one, is not written here.
  const taken = useRef(incoming);
  latest.current = { name, change };
  const [checked, setChecked] = useState<CheckedText | undefined>(undefined);
  const [isChanged, setChanged] = useState(false);
  const about = (text: string) => (latest.current.name === undefined ? { text } : { text, name: latest.current.name });
  useEffect(() => {
    let gone = false;
    const check = async (now: string): Promise<readonly TextProblem[]> => {
      const answer = await attempt<CheckedText>(`${view}/problems`, about(now));
      // Nothing is shown for a text that has changed since.
      if (answer === undefined || editor.current?.text() !== now) return [];
      setChecked(answer);
      latest.current.change(now, answer.problems.length, answer.unchanged);
      const said = answer.lint.map(({ line, paths, arithmetic }) => ({
        line,
        key: paths[0] ?? '',
        message: arithmetic,
      }));
      return [...answer.problems, ...said.map((each) => ({ ...each, severity: 'warning' as const }))];
    };
    const opened = draftOf<SavedText>(draft) ?? { doc: original };
    latest.current.change(opened.doc, 0);
    setChanged(opened.doc !== original);
    const keep = (): void => {
      const now = editor.current?.saved();
      if (now !== undefined) keepDraft(draft, now);
    };
    // A reload and a tab that is closed leave no other moment.
    addEventListener('pagehide', keep);
    void import('./simulation/editor.js').then(({ editorIn }) => {
      if (gone || place.current === null) return;
      editor.current = editorIn(place.current, opened, {
        ...{ label, problems: check },
        words: (now, at) => attempt<PlaceWords>(`${view}/words`, { ...about(now), at }),
        onChange: (now) => {
          setChanged(now !== original);
          latest.current.change(now, 0);
        },
      });
      if (madeFrom !== undefined) editor.current.showChange(madeFrom);
    });
    return () => {
      gone = true;
      removeEventListener('pagehide', keep);
      keep();
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => {
    if (incoming === undefined || incoming === taken.current) return;
    taken.current = incoming;
    editor.current?.replace(incoming.text);
  }, [incoming]);
  const restore = html`<p class="steps"><button type="button" class="quiet" onClick=${() => editor.current?.replace(original)}>Original text</button></p>`;
  return html`<div class="editor" ref=${place}></div>${isChanged ? restore : null}${checked === undefined ? null : findings(checked)}`;
}

function findings({ problems, lint, unchanged }: CheckedText): VNode {
  if (unchanged) return html`<p class="soft">Nothing is changed: every number is that of the specification.</p>`;
  if (problems.length > 0)
    return html`<ul class="problems" role="alert">${problems.map(({ line, key, message }) => html`<li>line ${line}${key === '' ? '' : html`, <code>${key}</code>`}: ${message}</li>`)}</ul>`;
  if (lint.length === 0)
    return html`<p class="soft">No mistake; lint finds no flaw in the numbers that it changes.</p>`;
  return html`<p class="soft">No mistake; its numbers bring ${countText(lint.length, 'flaw')} or make them worse:</p>
    <ul class="evidence lint">${lint.map(({ id, severity, arithmetic, paths, line }) => html`<li>${pill(severity, TONES[severity])} <b>${id}</b> <span class="soft">line ${line}, ${paths.map((path) => html`<code>${path}</code> `)}</span><br />${arithmetic}</li>`)}</ul>`;
}
