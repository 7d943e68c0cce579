/** The place of an editor in a view: it is loaded when it is first shown, and says next to the text what is wrong with it, and what lint finds. */

import { countText } from '../../reports/numbers.js';
import type { CheckedText } from '../server/linted.js';
import { html, useEffect, useRef, useState, type VNode } from './markup.js';
import { pill } from './parts.js';
import type { OpenEditor, TextProblem } from './simulation/editor.js';
import { attempt } from './store.js';

interface Props {
  /** The action that checks a text; a scenario or sweep is checked under its name. */
  readonly action: string;
  readonly name?: string;
  readonly label: string;
  /** The text that it opens with; another text needs another editor, by its `key`. */
  readonly text: string;
  /** Called with each new text, and with how many problems it has. */
  readonly change: (text: string, problems: number) => void;
}

const TONES = { error: 'bad', warning: 'warm', note: 'plain' } as const;

/** The editor with a text. */
export function CheckedEditor({ action, name, label, text, change }: Props): VNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | undefined>(undefined);
  const latest = useRef({ name, change });
  latest.current = { name, change };
  const [checked, setChecked] = useState<CheckedText | undefined>(undefined);
  const ask = (now: string): Promise<CheckedText | undefined> =>
    attempt<CheckedText>(action, {
      text: now,
      ...(latest.current.name === undefined ? {} : { name: latest.current.name }),
    });
  useEffect(() => {
    let gone = false;
    const check = async (now: string): Promise<readonly TextProblem[]> => {
      const answer = await ask(now);
      // Of a text that has been changed since, nothing is said.
      if (answer === undefined || editor.current?.text() !== now) return [];
      setChecked(answer);
      latest.current.change(now, answer.problems.length);
      const said = answer.lint.map(({ line, paths, arithmetic }) => ({
        line,
        key: paths[0] ?? '',
        message: arithmetic,
      }));
      return [...answer.problems, ...said.map((each) => ({ ...each, severity: 'warning' as const }))];
    };
    void Promise.all([import('./simulation/editor.js'), ask(text)]).then(([{ editorIn }, first]) => {
      if (gone || place.current === null) return;
      editor.current = editorIn(place.current, text, {
        ...{ label, problems: check, words: first?.words ?? [] },
        onChange: (now) => latest.current.change(now, 0),
      });
    });
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  return html`<div class="editor" ref=${place}></div>${checked === undefined ? null : findings(checked)}`;
}

function findings({ problems, lint }: CheckedText): VNode {
  if (problems.length > 0)
    return html`<ul class="problems" role="alert">${problems.map(({ line, key, message }) => html`<li>line ${line}${key === '' ? '' : html`, <code>${key}</code>`}: ${message}</li>`)}</ul>`;
  if (lint.length === 0)
    return html`<p class="soft">No mistake; lint finds no flaw in the numbers that it changes.</p>`;
  return html`<p class="soft">No mistake; its numbers bring ${countText(lint.length, 'flaw')} or make them worse:</p>
    <ul class="evidence lint">${lint.map(({ id, severity, arithmetic, paths, line }) => html`<li>${pill(severity, TONES[severity])} <b>${id}</b> <span class="soft">line ${line}, ${paths.map((path) => html`<code>${path}</code> `)}</span><br />${arithmetic}</li>`)}</ul>`;
}
