/** A report or a run whose links open a panel next to it. */

import { html, useLive, type VNode } from '../markup.js';
import { useOpener } from '../opener.js';
import type { Markup } from '../parts.js';
import { goTo, route } from '../place.js';
import { type Route, routeOf, SUBJECTS, type SubjectKind, type ViewName } from '../routes.js';

/** The subject of the panel; the id of an exchange is its number and the id of its check. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
}

/** The subject of a place; undefined for a place with no panel. */
export function subjectOf(open: Route | undefined): Subject | undefined {
  const kind = SUBJECTS.find((each) => each === open?.kind);
  return kind === undefined || open === undefined ? undefined : { kind, id: open.id };
}

interface Props {
  readonly view: ViewName;
  readonly content: Markup;
  /** Makes the panel of a subject; `close` closes it. */
  readonly panel: (subject: Subject, close: () => void) => VNode;
}

/** An anchor of the components of the static report. */
const ANCHOR = /^#(?:clause|check|section)-/;

/** The two. Escape closes the panel, and the focus returns to the link that opened it. */
export function Split({ view, content, panel }: Props): VNode {
  const subject = subjectOf(useLive(() => route.value));
  const focusOpener = useOpener();
  const close = (): void => {
    goTo(view);
    focusOpener();
  };
  const follow = (event: Event): void => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link === null) return;
    const to = routeOf(link.hash);
    const wanted = subjectOf(to);
    // Addresses of the page are followed as they are.
    if (to !== undefined && !ANCHOR.test(link.hash)) return;
    event.preventDefault();
    if (wanted === undefined) document.getElementById(link.hash.slice(1))?.scrollIntoView();
    else goTo(view, wanted.kind, wanted.id);
  };
  return html`<div class=${subject === undefined ? 'split' : 'split open'} onClick=${follow} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && subject !== undefined && close()}><div>${content}</div>${subject === undefined ? null : panel(subject, close)}</div>`;
}
