/** The shell of every page: head, contents, style and script. The parts come from their own files. */
import { createHash } from 'node:crypto';
import { html, type Markup, raw, textOfMarkup } from './markup.js';
import { PAGE_SCRIPT } from './page-script-bundle.js';
import { STYLE } from './style.js';

/** A place of the page that its contents list names. */
export interface Place {
  readonly id: string;
  readonly label: string;
}

/** A page: its parts, and all that the shell puts around them. */
interface Page {
  readonly title: string;
  readonly lead: string;
  readonly places: readonly Place[];
  readonly parts: readonly Markup[];
  readonly tool_version: string;
  /** The site that the page is a part of, where it is one. */
  readonly site?: PageSite | undefined;
}

/** The head of a site above that of a page, and its style. */
export interface PageSite {
  readonly above: Markup;
  readonly style: string;
}

const SCRIPT_HASH = createHash('sha256').update(PAGE_SCRIPT).digest('base64');

// The page holds text that a stranger's server sent. Should any of it ever be taken for markup, the browser still loads nothing
// from anywhere and runs no script but the one whose hash is here.
const policyOf = (form: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action ${form}`;

/** A whole page in one file: nothing is loaded from elsewhere, and it reads well without script. */
export function page({ title, lead, places, parts, tool_version, site }: Page): string {
  const links = places.map(({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`);
  const head = html`<h1>${title}</h1><p class="lead">${lead}</p>`;
  return `<!doctype html>\n${textOfMarkup(html`<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content=${policyOf(site === undefined ? "'none'" : "'self' file:")} />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title}</title>
<link rel="icon" href="data:," />
<style ...${raw(STYLE + (site?.style ?? ''))}></style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${site === undefined ? html`<header class="top"><div class="wide"><p class="brand">aips-lab</p>${head}</div></header>` : html`${site.above}<section class="top" aria-label="This page"><div class="wide">${head}</div></section>`}
<nav aria-label="Contents"><ul class="wide">${links}</ul></nav>
<main id="main" class="wide" tabindex="-1">${parts}</main>
<footer><div class="wide">Written by aips-lab ${tool_version}. This page is one file and loads nothing from anywhere.</div></footer>
<script ...${raw(PAGE_SCRIPT)}></script>
</body>
</html>`)}\n`;
}
