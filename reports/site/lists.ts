/** The lists of the site: every clause by section, every decision, error, check and number, with a link to its page. */

import { countText } from '../../results/numbers.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import { errors } from '../../spec/errors.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { html, type Markup } from '../views/markup.js';
import { FOLDERS, type Kind, rootFrom, type SiteFacts } from './facts.js';
import { valueText } from './number-page.js';
import { LISTS, sitePage, Things } from './page.js';
import { errorCodes } from './thing-pages.js';

/** A thing that has a page, and the words by which it is listed and found. */
interface Listed {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

/** All things of a kind that have a page, in their order. */
export function listed(kind: Kind, { checks, uses }: SiteFacts): readonly Listed[] {
  switch (kind) {
    case 'clause':
      return clauses;
    case 'decision':
      // The order in which they are to be read: those first on which most checks depend.
      return decisions
        .toSorted((a, b) => place(uses, a.id) - place(uses, b.id))
        .map(({ id, title, open }) => ({ id, title, text: open }));
    case 'error':
      return errorCodes.map((id) => ({ id, text: causesOf(id) }));
    case 'check':
      return checks.map(({ id, title }) => ({ id, text: title }));
    case 'number':
      return protocolNumbers().map((number) => ({ id: number.path, text: valueText(number) }));
    default:
      return kind satisfies never;
  }
}

function place(uses: SiteFacts['uses'], id: string): number {
  const at = [...uses.keys()].indexOf(id);
  return at < 0 ? uses.size : at;
}

function causesOf(code: string): string {
  const own = Object.values(errors).filter((row) => row.code === code);
  return [...new Set(own.map(({ cause }) => cause))].join('; ');
}

/** The groups of a list: clauses by section, checks and numbers by the first word of their ids. */
function groupOf(kind: Kind, id: string): string {
  if (kind === 'clause') return clauses.find((clause) => clause.id === id)?.section ?? '';
  if (kind === 'check') return id.split('/')[0] ?? '';
  return kind === 'number' ? (id.split('.')[0] ?? '') : '';
}

const ABOUT: Readonly<Record<Kind, string>> = {
  clause: 'Every statement of the specification that a server can keep or break, in its order.',
  decision:
    'What the reference does where the specification is silent. A server may do otherwise. Read these before you write code: those on which most checks depend come first.',
  error: 'Every code with which a server refuses a request.',
  check: 'Every check of the conformance suite.',
  number: 'Every number of the protocol.',
};

/** The list of a kind as a page. */
export function listPage(kind: Kind, facts: SiteFacts): string {
  const address = `${FOLDERS[kind]}/index.html`;
  const root = rootFrom(address);
  const label = LISTS.find(([each]) => each === kind)?.[1] ?? '';
  const all = listed(kind, facts);
  const groups = new Map<string, Listed[]>();
  for (const each of all) groups.set(groupOf(kind, each.id), [...(groups.get(groupOf(kind, each.id)) ?? []), each]);
  const content = html`<h1>${label}</h1><p class="lead">${countText(all.length, kind)}. ${ABOUT[kind]}</p>
${[...groups].map(([group, things]) => [
  groupHead(kind, group),
  Things(
    kind,
    root,
    things.map(({ id, title, text }) => ({ id, text: title === undefined ? text : `${title}: ${text}` })),
  ),
])}`;
  return sitePage({ address, title: `${label} of aips-lab`, about: ABOUT[kind], content }, facts);
}

function groupHead(kind: Kind, group: string): Markup {
  if (group === '') return undefined;
  const title = kind === 'clause' ? ` ${sections.find(({ section }) => section === group)?.title ?? ''}` : '';
  return html`<h2 id="${kind === 'clause' ? 'section' : 'group'}-${group}">${group}${title}</h2>`;
}
