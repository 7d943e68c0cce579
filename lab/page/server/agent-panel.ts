/** One agent: its state, its family, who pays for it, and its life as a list of events. */

import { numberText, solText } from '../../../results/numbers.js';
import type { RefusedBecause } from '../../server/reference/request-log.js';
import type { agentOf } from '../../server/reference/service-views.js';
import { answered, useAnswer } from '../answers.js';
import { html, useEffect, useLive, useRef, type VNode } from '../markup.js';
import { figure, pill, timeText } from '../parts.js';
import { hrefTo, openName } from '../place.js';
import { ShellCommand } from '../shell-command.js';
import { figures } from '../store.js';
import { AgentActs } from './agent-acts.js';
import { refusalText } from './request-list.js';
import { clauseLink } from './request-panel.js';

type Agent = ReturnType<typeof agentOf> & {
  readonly holds: 'made' | 'lives' | 'nothing';
  readonly silent: boolean;
  readonly events: readonly LifeEvent[];
  readonly eventsInAll: number;
  /** Null for an earlier moment. */
  readonly command: string | null;
};

interface LifeEvent {
  readonly atMs: number;
  readonly what: string;
  /** The number of the request; of refusals alone. */
  readonly n?: number;
  readonly refused: RefusedBecause | null;
}

/** The panel of an agent, by its hash or row. */
export function AgentPanel({
  agent: name,
  open,
  close,
}: {
  readonly agent: string;
  readonly open: (agent: string) => void;
  readonly close: () => void;
}): VNode {
  const version = useLive(
    () => `${figures.value?.nowMs} ${figures.value?.commands} ${figures.value?.moving} ${figures.value?.past?.atMs}`,
  );
  const title = useRef<HTMLHeadingElement>(null);
  const answer = useAnswer<Agent>('server/agent', { agent: name }, version);
  useEffect(() => title.current?.focus(), [name, answer.state]);
  useEffect(() => {
    openName.value = answered(answer)?.name ?? '';
    return () => {
      openName.value = '';
    };
  }, [answer]);
  if (answer.state !== 'there')
    return html`<aside class="panel agent"><p class="empty">${answer.state === 'loading' ? 'Loading…' : `${answer.why}.`} <button type="button" onClick=${close}>Close</button></p></aside>`;
  const agent = answer.value;
  const near = Math.min(100, (agent.missed / agent.missedMax) * 100);
  const person = (other: { readonly row: number; readonly name: string; readonly standing: string }): VNode =>
    html`<li><button type="button" class="link" onClick=${() => open(String(other.row))}>${other.name}</button> ${pill(other.standing)}</li>`;
  return html`<aside class="panel agent" aria-label=${`Agent ${agent.name}`} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}><header><h2 tabindex="-1" ref=${title}>${agent.name} ${pill(agent.standing)}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>
    <p class="mono soft">${agent.hash}</p>
    <dl class="figures small">
      ${figure('heartbeats', numberText(agent.heartbeats), `${numberText(agent.epochHeartbeats)} of ${numberText(agent.epochCap)} in this epoch`)}
      ${figure('next heartbeat', `beat ${numberText(agent.nextHeartbeatBeat)}`)}
      ${figure('wallet', agent.wallet === null ? 'none' : solText(agent.wallet.lamports))}
      ${figure('class', agent.identityClass.replace('_', ' '), agent.status.sigil ?? 'no SIGIL')}
    </dl>
    <p class="soft">${agent.missed} anchors since its last sign of life; ${agent.missedMax} are allowed.</p>
    <div class="meter" role="meter" aria-label="Missed anchors" aria-valuemin="0" aria-valuemax=${agent.missedMax} aria-valuenow=${Math.min(agent.missed, agent.missedMax)}><i class=${near > 99 ? 's-frozen' : near > 50 ? 's-warning' : 's-active'} style=${{ width: `${near}%` }}></i></div>
    <${AgentActs} key=${agent.hash} agent=${agent} />
    ${agent.ancestors.length + agent.children.length === 0 ? null : html`<h3>Family</h3><ul class="tree">${agent.ancestors.map(person)}<li><b>${agent.name}</b><ul>${agent.children.map(person)}</ul></li></ul>`}
    ${agent.sponsors.length === 0 ? null : html`<h3>Sponsors</h3><ul>${agent.sponsors.map((each) => html`<li><button type="button" class="link" onClick=${() => open(String(each.row))}>${each.name}</button>: ${each.state}, ${each.used} of ${each.max} heartbeats</li>`)}</ul>`}
    <h3>Life</h3>
    <p class="soft">${numberText(agent.eventsInAll)} events, the latest first.</p>
    <ol class="timeline" tabindex="0" aria-label="Events">${agent.events
      .toReversed()
      .map(
        (event) =>
          html`<li class=${event.refused === null ? 'ok' : 'no'}><time>${timeText(event.atMs)}</time> <b>${event.what}</b>${event.refused === null ? '' : html` <span>${refusalText(event.refused)}</span> ${clauseLink(event.refused)} ${event.n === undefined ? '' : html`<a href=${hrefTo('server', 'request', String(event.n))}>request</a>`}`}</li>`,
      )}</ol>
    ${agent.command === null ? null : html`<${ShellCommand} text=${agent.command} />`}</aside>`;
}
