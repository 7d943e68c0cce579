/** The shell of every page of the site: head, navigation, search. All of it is linked relatively, so that it works from a folder of files. */

import { html, type Markup, raw, textOfMarkup } from '../views/markup.js';
import type { AroundRegistry } from '../views/registry.js';
import { addressOf, FOLDERS, type Kind, rootFrom, type SiteFacts } from './facts.js';
import { HEADER_STYLE } from './style.js';

interface SitePage {
  readonly address: string;
  readonly title: string;
  /** The page in one sentence, for lists of search engines. */
  readonly about: string;
  readonly content: Markup;
}

/** The lists of the site, in the order of the navigation. */
export const LISTS: readonly (readonly [kind: Kind, label: string])[] = [
  ['clause', 'Clauses'],
  ['decision', 'Decisions'],
  ['error', 'Errors'],
  ['check', 'Checks'],
  ['number', 'Numbers'],
];

/** The header of every page: the navigation and the search. */
function siteHeader(address: string, registry: boolean): Markup {
  const root = rootFrom(address);
  const places: readonly (readonly [href: string, label: string])[] = [
    ['docs/index.html', 'Documents'],
    ...LISTS.map(([kind, label]) => [`${FOLDERS[kind]}/index.html`, label] as const),
    ...(registry ? [['registry/index.html', 'Implementations'] as const] : []),
  ];
  return html`<header class="top"><div class="wide"><p class="brand"><a href="${root}index.html">aips-lab</a></p>
<nav aria-label="Site"><ul>${places.map(([href, label]) => html`<li><a href="${root}${href}" aria-current=${href === address ? 'page' : undefined}>${label}</a></li>`)}</ul></nav>
<form class="find" role="search" action="${root}find/index.html"><label class="unseen" for="find">Search the site</label><input id="find" name="q" type="search" autocomplete="off" placeholder="Search: an id, a word" /></form></div></header>`;
}

/** The site around the pages of its registry, which views/registry.ts makes with or without it: its header, style and pages of clauses. */
export const aroundRegistry: AroundRegistry = (path) => ({
  above: siteHeader(`registry/${path}`, true),
  style: HEADER_STYLE,
  clauses: `${rootFrom(`registry/${path}`)}${FOLDERS.clause}/`,
});

/** A page as text. `content` has the only h1. */
export function sitePage({ address, title, about, content }: SitePage, { version, registry }: SiteFacts): string {
  const root = rootFrom(address);
  return `<!doctype html>\n${textOfMarkup(html`<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content=${about} />
<title>${title}</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="${root}site.css" />
</head>
<body data-root=${root}>
<a class="skip" href="#main">Skip to the content</a>
${siteHeader(address, registry !== undefined)}
<main id="main" class="wide site" tabindex="-1">${content}</main>
<footer><div class="wide">Made by <code>npm run site</code> of aips-lab ${version}. <a href="${root}docs/site.html">How it is made</a>.</div></footer>
<script src="${root}site.js"></script>
</body>
</html>`)}\n`;
}

/** The page of a document: markup that was made of its Markdown. */
export function documentPage(page: Omit<SitePage, 'content'> & { readonly markup: string }, facts: SiteFacts): string {
  return sitePage({ ...page, content: html`<div class="document" ...${raw(page.markup)}></div>` }, facts);
}

/** A link to the page of a thing, in the letters of code. `root`: the way to the root of the site. */
export function Thing({ kind, id, root }: { readonly kind: Kind; readonly id: string; readonly root: string }): Markup {
  return html`<a class="mono" href="${root}${addressOf(kind, id)}">${id}</a>`;
}

/** A list of things with a text each; nothing for an empty one. */
export function Things(
  kind: Kind,
  root: string,
  things: readonly { readonly id: string; readonly text: Markup }[],
): Markup {
  if (things.length === 0) return undefined;
  return html`<ul class="things">${things.map(({ id, text }) => html`<li>${Thing({ kind, id, root })} ${text}</li>`)}</ul>`;
}
