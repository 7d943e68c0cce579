/** The acts of an agent on its panel: buttons, the fields that some of them need, and the outcome with its requests. */

import { signal } from '@preact/signals-core';
import { identityClasses } from '../../../spec/vocabulary.js';
import type { ActDone } from '../../server/reference/agent-actions.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { pill } from '../parts.js';
import { goTo } from '../place.js';
import { ShellCommand } from '../shell-command.js';
import { attempt, figures } from '../store.js';
import { clauseLink, RequestDetail, requestLink } from './request-panel.js';

/** The agent of the panel, as far as acts need it. */
interface Acting {
  readonly row: number;
  readonly name: string;
  readonly holds: 'made' | 'lives' | 'nothing';
  readonly silent: boolean;
  readonly children: readonly { readonly row: number; readonly name: string }[];
}

/** The latest act: its words, the row of its agent, and what it did. */
const latest = signal<{ readonly said: string; readonly row: number; readonly done: ActDone } | null>(null);
const isBusy = signal(false);

async function run(said: string, row: number | undefined, path: string, body: object): Promise<ActDone | undefined> {
  isBusy.value = true;
  const done = await attempt<ActDone>(path, body);
  isBusy.value = false;
  if (done !== undefined) latest.value = { said, row: row ?? done.requests.at(-1)?.agent ?? -1, done };
  return done;
}

type Fields = Readonly<Record<string, string>>;

/** An act with fields: the words of its button, its fields, and the body that they give. */
interface FormAct {
  readonly text: string;
  readonly fields: (agent: Acting) => readonly {
    readonly name: string;
    readonly label: string;
    readonly value: string;
    readonly options?: readonly (readonly [value: string, text: string])[];
  }[];
  readonly body: (fields: Fields) => object;
}

const classes = identityClasses.map((each) => [each, each.replace('_', ' ')] as const);

const FORMS: Readonly<Record<string, FormAct>> = {
  sigil: {
    text: 'Buy SIGIL',
    fields: () => [{ name: 'identityClass', label: 'class', value: 'narrow_task', options: classes }],
    body: ({ identityClass }) => ({ identityClass }),
  },
  sponsor: {
    text: 'Sponsor',
    fields: ({ children }) => [
      {
        ...{ name: 'child', label: 'descendant, by hash or row', value: String(children[0]?.row ?? '') },
        ...(children.length === 0 ? {} : { options: children.map(({ row, name }) => [String(row), name] as const) }),
      },
      { name: 'cap', label: 'heartbeats an epoch', value: '100' },
    ],
    body: ({ child, cap }) => ({ child, cap: Number(cap) }),
  },
  flag: {
    text: 'Flag',
    fields: () => [
      { name: 'target', label: 'agent, by hash or row', value: '' },
      { name: 'assertedClass', label: 'class that it acts as', value: 'orchestrator', options: classes },
      { name: 'reason', label: 'reason', value: 'it gives orders' },
    ],
    body: (fields) => fields,
  },
  spawn: {
    text: 'Spawn',
    fields: ({ name, children }) => [
      { name: 'name', label: 'name of the child', value: `${name} child ${children.length + 1}` },
    ],
    body: (fields) => fields,
  },
};

/** The acts of an agent, and the outcome of the latest. */
export function AgentActs({ agent }: { readonly agent: Acting }): VNode {
  const busy = useLive(() => isBusy.value);
  const last = useLive(() => latest.value);
  const isPast = useLive(() => figures.value?.past !== null);
  const [form, setForm] = useState<string | null>(null);
  const [changed, setChanged] = useState<Fields>({});
  if (isPast) return html`<p class="soft">Nothing acts in a copy of an earlier moment.</p>`;
  if (agent.holds === 'nothing')
    return html`<p class="soft">The lab cannot act for it: another client registered it, and has its key.</p>`;
  const name = String(agent.row);
  const act = (text: string, what: object): void =>
    void run(`${text}, ${agent.name}`, agent.row, 'server/act', { agent: name, ...what });
  const open = (id: string): void => {
    setForm(form === id ? null : id);
    setChanged({});
  };
  const chosen = form === null ? undefined : FORMS[form];
  const fields = chosen?.fields(agent) ?? [];
  const submit = (event: Event): void => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map((field) => [field.name, changed[field.name] ?? field.value]));
    act(chosen?.text ?? '', { do: form, ...chosen?.body(values) });
    setForm(null);
  };
  const take = (field: string) => (event: Event) =>
    setChanged({ ...changed, [field]: (event.target as HTMLInputElement).value });
  return html`<h3>Act</h3><div class="steps" role="group" aria-label=${`Acts of ${agent.name}`}>
      <button type="button" disabled=${busy} onClick=${() => act('Heartbeat', { do: 'heartbeat' })}>Heartbeat</button>
      <button type="button" disabled=${busy || agent.holds === 'made'} aria-pressed=${String(agent.silent || agent.holds === 'made')} onClick=${() => run(`${agent.silent ? 'Beat again' : 'Stay silent'}, ${agent.name}`, agent.row, 'server/silence', { agent: name, on: !agent.silent })}>Stay silent</button>
      <button type="button" disabled=${busy} onClick=${() => run(`Freeze now, ${agent.name}`, agent.row, 'server/freeze', { agent: name })}>Freeze now</button>
      <button type="button" disabled=${busy} onClick=${() => act('Resync', { do: 'resync' })}>Resync</button>
      ${Object.entries(FORMS).map(([id, { text }]) => html`<button type="button" aria-expanded=${String(form === id)} disabled=${busy} onClick=${() => open(id)}>${text}…</button>`)}</div>
    ${agent.holds === 'made' ? html`<p class="soft">The lab made it: it sends what you let it send, and nothing else.</p>` : agent.silent ? html`<p class="soft">Its heartbeats are left out until you let it beat again.</p>` : null}
    ${chosen === undefined ? null : html`<form class="tools act" onSubmit=${submit}>${fields.map(({ name: field, label, value, options }) => html`<label class="grow">${label} ${options === undefined ? html`<input type="text" value=${changed[field] ?? value} onInput=${take(field)} />` : html`<select onChange=${take(field)}>${options.map(([id, text]) => html`<option value=${id} selected=${id === (changed[field] ?? value)}>${text}</option>`)}</select>`}</label>`)}<button type="submit" class="main">${chosen.text}</button></form>`}
    ${busy ? html`<p class="empty loading" aria-busy="true">It acts…</p>` : last?.row === agent.row ? html`<${Outcome} key=${last.done.again + last.done.requests.at(-1)?.n} said=${last.said} done=${last.done} />` : null}`;
}

/** The outcome of an act: the request that decided, the others, and the command that does it again. */
function Outcome({ said, done }: { readonly said: string; readonly done: ActDone }): VNode {
  const last = done.requests.at(-1);
  const { refused } = last ?? {};
  const others = done.requests.slice(0, -1);
  return html`<section class="outcome" aria-label="Outcome" role="status"><p><b>${said}</b> ${pill(refused === undefined ? 'done' : `refused: ${refused.code}`, refused === undefined ? 'good' : 'bad')}</p>
    ${refused === undefined ? null : html`<p>${refused.said}. Why: ${clauseLink(refused)}</p>`}
    ${last === undefined ? null : html`<p>Request ${last.n}: ${requestLink(last)}${others.length === 0 ? null : html` <span class="soft">after ${others.map((each, at) => html`${at === 0 ? '' : ', '}${requestLink(each)} ${each.status}`)}</span>`}</p><details><summary>Request and reply</summary><${RequestDetail} n=${last.n} /></details>`}
    <${ShellCommand} text=${done.again} /></section>`;
}

/** Makes an agent of a name, and opens it. */
export function NewAgent(): VNode {
  const busy = useLive(() => isBusy.value);
  const isPast = useLive(() => figures.value?.past !== null);
  const last = useLive(() => latest.value);
  const [name, setName] = useState('');
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    const done = await run(`Made ${name}`, undefined, 'server/make', { name });
    const decided = done?.requests.at(-1);
    if (decided === undefined || decided.refused !== undefined) return;
    setName('');
    goTo('server', 'agent', String(decided.agent));
  };
  return html`<form class="tools" onSubmit=${make}><label class="grow"><span class="unseen">Name of a new agent</span><input type="text" id="new-agent" placeholder="Name of a new agent" value=${name} onInput=${(event: Event) => setName((event.target as HTMLInputElement).value)} /></label>
    <button type="submit" disabled=${busy || isPast || name.trim() === ''}>Make agent</button></form>
    ${last !== null && last.row < 0 ? html`<${Outcome} said=${last.said} done=${last.done} />` : null}`;
}
