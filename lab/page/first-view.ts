/** The first view: what is running, what is wrong, and what to do next. */

import { numberText, solText } from '../../results/numbers.js';
import { Loading } from './answers.js';
import { LivesHere } from './lives-here.js';
import { html, useLive, type VNode } from './markup.js';
import { figure, panel, timeText } from './parts.js';
import { goToMoment, hrefTo } from './place.js';
import { leadOf, runWords } from './run-words.js';
import { Life } from './server/life.js';
import { requestsText } from './server/request-list.js';
import { figures, simulation, watched } from './store.js';

interface Next {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

/** The view. */
export function FirstView(): VNode {
  const now = useLive(() => figures.value);
  const run = useLive(() => watched.value);
  const played = useLive(() => simulation.value);
  if (now === undefined) return html`<h1>Overview</h1><${Loading} />`;
  const words = run === null ? undefined : runWords(run);
  const first = run?.seen.find(({ level }) => level === 'must');
  const next: readonly Next[] = [
    ...(run !== null && run.state !== 'running' && words?.tone !== 'good'
      ? [
          {
            href: hrefTo('conformance'),
            title: `See ${first?.title ?? 'the report of the run'}`,
            text:
              first === undefined
                ? (words?.text ?? '')
                : 'Clause, expected and actual, with the exchange that shows it.',
          },
        ]
      : []),
    ...(run === null
      ? [
          {
            href: hrefTo('conformance'),
            title: 'Judge a server',
            text: 'Every clause of the specification, as it goes.',
          },
        ]
      : []),
    {
      href: hrefTo('server'),
      title: 'Move time',
      text: 'Let an hour pass, see who freezes, and go back to before it.',
    },
    {
      href: hrefTo('simulation'),
      title: 'Change a rule',
      text: 'Play a population under two rules, and read the paired difference.',
    },
  ];
  const past =
    now.past === null
      ? null
      : html`<p class="lead">A copy of an earlier moment is shown. <button type="button" class="link" onClick=${() => goToMoment(null)}>Back to the present</button></p>`;
  return html`<h1>${words?.title ?? 'A registry is alive here'}</h1>
    ${words === undefined || words.text === '' ? null : html`<p class="lead">${leadOf(words)}</p>`}<${LivesHere} />
    <p class="lead">${timeText(now.nowMs)} UTC of protocol time, beat ${numberText(now.beat)}. ${numberText(now.agents)} agents; ${requestsText(now)}.</p>
    ${past}<dl class="figures">
      ${figure('active', numberText(now.counts.active), `of ${numberText(now.agents)} agents`, 'good')}
      ${figure('frozen', numberText(now.counts.frozen), now.counts.warning === 0 ? 'none is near it' : `${numberText(now.counts.warning)} more are near it`, now.counts.frozen > 0 ? 'cold' : '')}
      ${figure('fees paid', solText(now.feesLamports), `${numberText(now.transactions)} transactions`)}
      ${figure('flags to review', numberText(now.pendingFlags), now.pendingFlags === 0 ? 'nothing waits' : html`<a href=${hrefTo('server', 'flags')}>review them</a>`, now.pendingFlags > 0 ? 'warm' : '')}
      ${figure('deviations', words?.deviations === undefined ? '–' : numberText(words.deviations), run === null ? 'no run yet' : `${numberText(words?.clauses.judged ?? 0)} of ${numberText(words?.clauses.total ?? 0)} clauses judged`, words?.tone === 'bad' ? 'bad' : '')}
    </dl>
    ${panel('The life of the population', html`<${Life} />`, html`<a href=${hrefTo('server')}>Open the server</a>`)}
    ${panel('Next', html`<ul class="next">${next.map(({ href, title: name, text }) => html`<li><a href=${href}><b>${name}</b><span>${text}</span></a></li>`)}</ul>`)}
    ${played === null ? null : html`<p class="lead">Simulation ${played.n}: ${played.state}, seed ${played.seed}.</p>`}`;
}
