/** The place of the editor in the Simulation view: it is loaded when it is first shown, and says what lint finds next to the text. */

import type { Finding as LintFinding } from '../../../spec/lint/index.js';
import { html, useEffect, useRef, useState, type VNode } from '../markup.js';
import { pill } from '../parts.js';
import { attempt } from '../store.js';
import type { OpenEditor, TextProblem } from './editor.js';

interface Checked {
  readonly problems: readonly TextProblem[];
  readonly lint: readonly LintFinding[];
  readonly words: readonly string[];
}

/** The editor with a text; `change` is called with each new text, and with how many problems it has. */
export function ScenarioEditor({
  name,
  text,
  change,
}: {
  /** The scenario or sweep whose text it was. */
  readonly name: string;
  readonly text: string;
  readonly change: (text: string, problems: number) => void;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | undefined>(undefined);
  const named = useRef(name);
  named.current = name;
  const [checked, setChecked] = useState<Checked | undefined>(undefined);
  useEffect(() => {
    let gone = false;
    const check = async (now: string): Promise<readonly TextProblem[]> => {
      const answer = await attempt<Checked>('simulation/problems', { text: now, name: named.current });
      if (answer === undefined) return [];
      setChecked(answer);
      change(now, answer.problems.length);
      return answer.problems;
    };
    void Promise.all([import('./editor.js'), attempt<Checked>('simulation/problems', { text, name })]).then(
      ([{ editorIn }, first]) => {
        if (gone || place.current === null) return;
        editor.current = editorIn(place.current, text, {
          problems: check,
          words: first?.words ?? [],
          onChange: (now) => change(now, 0),
        });
      },
    );
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => {
    if (editor.current !== undefined && editor.current.text() !== text) editor.current.setText(text);
  }, [text]);
  return html`<div class="editor" ref=${place}></div>
    ${checked === undefined ? null : checked.problems.length > 0 ? html`<ul class="problems" role="alert">${checked.problems.map(({ line, key, message }) => html`<li>line ${line}${key === '' ? '' : html`, <code>${key}</code>`}: ${message}</li>`)}</ul>` : html`<details class="lint"><summary>The scenario is valid. Lint finds ${checked.lint.length} flaws in its numbers</summary><ul>${checked.lint.map(({ id, severity, arithmetic }) => html`<li>${pill(severity, severity === 'error' ? 'bad' : severity === 'warning' ? 'warm' : 'plain')} <b>${id}</b> ${arithmetic}</li>`)}</ul></details>`}`;
}
