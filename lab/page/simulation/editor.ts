/** The editor of texts in YAML, with the problems that our own schemas and lint find, and the words of the place at the cursor. A chunk of its own, for CodeMirror. */

import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { historyField } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { PlaceWords } from '../../server/editor-words.js';

/** A problem of the text, by its line. */
export interface TextProblem {
  readonly line: number;
  readonly key: string;
  readonly message: string;
  /** Absent: an error. */
  readonly severity?: 'warning';
}

/** A text with the changes that can be undone, as data. */
export interface SavedText {
  readonly doc: string;
  readonly [field: string]: unknown;
}

/** An editor that is open. */
export interface OpenEditor {
  readonly text: () => string;
  /** Replaces the text, and shows where it is another; the change can be undone. */
  readonly replace: (text: string) => void;
  /** Shows where the text is not as another one. */
  readonly showChange: (from: string) => void;
  readonly saved: () => SavedText;
  readonly destroy: () => void;
}

/** The ports of the editor: its questions, and its words to the page. */
export interface EditorPorts {
  readonly label: string;
  readonly problems: (text: string) => Promise<readonly TextProblem[]>;
  /** The words that may be written at an offset of a text; undefined where the lab does not say. */
  readonly words: (text: string, at: number) => Promise<PlaceWords | undefined>;
  readonly onChange: (text: string) => void;
}

/** Colours by the theme of the page, which light and dark screens can read. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--soft)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content, tags.attributeValue], color: 'var(--ink)' },
  { tag: [tags.keyword, tags.labelName, tags.typeName], color: 'var(--cold)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--soft)' },
]);

/** Opens an editor in a shadow root: its styles are constructed there, so that the page needs no inline style. */
export function editorIn(
  place: HTMLElement,
  { doc, ...saved }: SavedText,
  { label, problems, words, onChange }: EditorPorts,
): OpenEditor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const check = linter(async (view): Promise<Diagnostic[]> => {
    const found = await problems(view.state.doc.toString());
    return found.map(({ line, key, message, severity }): Diagnostic => {
      const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      return {
        from: at.from + (/^\s*/.exec(at.text)?.[0].length ?? 0),
        to: at.to,
        severity: severity ?? 'error',
        message: key === '' ? message : `${key}: ${message}`,
      };
    });
  });
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!context.explicit && context.matchBefore(/[\w-]|: /) === null) return null;
    const { doc } = context.state;
    const found = await words(doc.toString(), context.pos);
    if (found === undefined || found.words.length === 0) return null;
    const hasColon = /^\s*:/.test(doc.sliceString(found.to, doc.lineAt(found.to).to));
    const options = found.words.map(({ text, about, kind }) => ({
      ...{ label: text, type: kind === 'key' ? 'property' : 'constant' },
      ...(about === '' ? {} : { info: about }),
      apply: kind === 'key' && !hasColon ? `${text}: ` : text,
    }));
    return { from: found.from, to: found.to, options, validFor: /^[\w.-]*$/ };
  };
  const explain = hoverTooltip(async (view, at) => {
    const found = await words(view.state.doc.toString(), at);
    if (found === undefined || found.about === '') return null;
    const dom = document.createElement('div');
    dom.className = 'about';
    dom.textContent = found.about;
    return { pos: found.from, end: found.to, create: () => ({ dom }) };
  });
  const theme = EditorView.theme({
    '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--soft)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--tint)' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
    '.about': { padding: '2px 6px', maxWidth: '24rem' },
    '&.cm-focused': { outline: '3px solid var(--accent)' },
  });
  const extensions = [
    basicSetup,
    yaml(),
    check,
    lintGutter(),
    autocompletion({ override: [complete], activateOnCompletion: ({ type }) => type === 'property' }),
    explain,
    theme,
    syntaxHighlighting(colours),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
  ];
  const fields = { history: historyField };
  const state =
    saved['history'] === undefined
      ? EditorState.create({ doc, extensions })
      : EditorState.fromJSON({ doc, ...saved }, { extensions }, fields);
  const view = new EditorView({ state, parent: root, root });
  view.scrollDOM.tabIndex = 0;
  const show = (from: string): void => {
    const text = view.state.doc.toString();
    let at = 0;
    while (at < text.length && text[at] === from[at]) at += 1;
    if (at < text.length)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  };
  return {
    text: () => view.state.doc.toString(),
    replace: (now) => {
      const before = view.state.doc.toString();
      view.dispatch({ changes: { from: 0, to: before.length, insert: now } });
      show(before);
    },
    showChange: show,
    saved: () => view.state.toJSON(fields) as SavedText,
    destroy: () => view.destroy(),
  };
}
