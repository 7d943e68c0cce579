/**
 * Templates of markup as Preact's nodes, and their text. The one file that imports the libraries: the build bundles them into it.
 * Text that is put into an element or an attribute goes through `visible`, and is escaped when it is rendered.
 */
import htm from 'htm';
import { type ComponentChildren, cloneElement, Fragment, h, isValidElement, render, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visible } from '../../results/visible.js';

/** All that a place in a template takes: nodes, text, numbers, lists of them, nothing for undefined. */
export type Markup = ComponentChildren;

type Props = Readonly<Record<string, unknown>>;

function shown(value: unknown): ComponentChildren {
  if (Array.isArray(value)) return value.map(shown);
  return (typeof value === 'string' ? visible(value) : value) as ComponentChildren;
}

function element(type: unknown, props: Props | null, ...children: readonly unknown[]): VNode {
  if (typeof type !== 'string')
    return h(type as typeof Fragment, props as object, ...(children as ComponentChildren[]));
  const safe = Object.entries(props ?? {}).map(([name, value]) => [name, shown(value)]);
  return h(type, Object.fromEntries(safe), ...children.map(shown));
}

// The types of htm are those of a CommonJS module, which it is not.
const template = (htm as unknown as typeof htm.default).bind(element);

/** A template of markup. An attribute that is false or undefined is left out; white space with a line end in it is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): VNode {
  const made = template(strings, ...values);
  return isValidElement(made) ? made : h(Fragment, null, shown(made));
}

/** The content of an element that is not markup and not from outside: a style sheet, a script, packed bytes. */
export function raw(text: string): { readonly dangerouslySetInnerHTML: { readonly __html: string } } {
  return { dangerouslySetInnerHTML: { __html: text } };
}

/** The markup as text: the same nodes give the same text. */
export function textOfMarkup(markup: Markup): string {
  return renderToString(h(Fragment, null, shown(markup)));
}

/** Puts markup into an element of a page that is open, in the place of all that was in it. */
export function show(markup: Markup, place: Element): void {
  place.replaceChildren();
  render(h(Fragment, null, shown(markup)), place);
}

const REFERENCES = ['id', 'for', 'aria-labelledby', 'aria-describedby', 'aria-controls'];

/** The same markup with its ids, and all that refers to them, apart from those of other parts of the page. */
export function apart(markup: Markup, prefix: string): Markup {
  if (Array.isArray(markup)) return markup.map((one) => apart(one, prefix));
  if (!isValidElement(markup)) return markup;
  const node = markup as VNode<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node.props)) {
    if (typeof value !== 'string') continue;
    if (REFERENCES.includes(name)) changed[name] = value.replace(/\S+/gu, (id) => `${prefix}-${id}`);
    if (name === 'href' && value.startsWith('#')) changed[name] = `#${prefix}-${value.slice(1)}`;
  }
  return cloneElement(node, changed, apart(node.props['children'] as Markup, prefix));
}

/** Our own prose with `code` between backticks. */
export function withCode(text: string): Markup {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

/** An id for a thing by its name: different names give different ids, all of letters that need no escape in a link. */
export function anchorOf(kind: string, name: string): string {
  const safe = name.replace(/[^A-Za-z0-9.-]/gu, (letter) =>
    letter === '/' ? '__' : `_${(letter.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return `${kind}-${safe}`;
}
