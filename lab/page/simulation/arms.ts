/** The arms of a scenario: texts next to the first one, each with a name, and controls that write a changed rule into one. */

import { numberText } from '../../../results/numbers.js';
import type { Rule } from '../../server/simulation/what-if.js';
import { html, useState, type VNode } from '../markup.js';
import { choices } from '../parts.js';
import { hrefTo } from '../place.js';
import { attempt } from '../store.js';
import { nameOfChanges } from './arm-words.js';

/** An arm next to the first one, with the text that it was made with. */
export interface ArmText {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The changes that were written into it, in words, of which its name is made; absent once the user has named it. */
  readonly changes?: readonly string[];
}

interface Props {
  readonly arms: readonly ArmText[];
  /** The arm in the editor; empty for the first one. */
  readonly open: string;
  readonly choose: (id: string) => void;
  readonly change: (arms: readonly ArmText[]) => void;
  /** The text of an arm as it is now; undefined before it has come. */
  readonly textOf: (id: string) => string | undefined;
  /** Writes a text over that in the editor. */
  readonly write: (text: string) => void;
}

const NAME_MAX = 60;
/** Names that no arm of the user can have, since others have them. */
const TAKEN = ['base', 'changed', 'sweep'];

/** A name that no other arm has. */
function freeName(wanted: string, others: readonly ArmText[]): string {
  const taken = [...TAKEN, ...others.map(({ name }) => name)];
  const numbered = (n: number): string =>
    n === 1 ? wanted.slice(0, NAME_MAX) : `${wanted.slice(0, NAME_MAX - 4)} ${n}`;
  let n = 1;
  while (taken.includes(numbered(n))) n += 1;
  return numbered(n);
}

/** The arms, of which one is in the editor, and the controls. */
export function Arms({ arms, open, choose, change, textOf, write }: Props): VNode {
  const arm = arms.find(({ id }) => id === open);
  const rename = (event: Event): void => {
    const wanted = (event.target as HTMLInputElement).value.trim() || 'arm';
    const name = freeName(
      wanted,
      arms.filter(({ id }) => id !== open),
    );
    change(arms.map((each) => (each.id === open ? { id: each.id, text: each.text, name } : each)));
  };
  const remove = (): void => {
    choose('');
    change(arms.filter(({ id }) => id !== open));
  };
  const made = (name: string, text: string): void => {
    const id = crypto.randomUUID();
    change([...arms, { id, name: freeName(name, arms), text, changes: [name] }]);
    choose(id);
  };
  const add = (title: string, text: string): void => {
    write(text);
    if (arm?.changes === undefined) return;
    const changes = [...arm.changes, title];
    const others = arms.filter(({ id }) => id !== open);
    const name = freeName(nameOfChanges(changes, NAME_MAX), others);
    change(arms.map((each) => (each.id === open ? { ...each, name, changes } : each)));
  };
  return html`${arms.length === 0 ? null : choices('Arms', [['', 'base'], ...arms.map(({ id, name }) => [id, name] as const)], open, choose)}
    ${arm === undefined ? null : html`<div class="tools"><label class="grow"><span class="unseen">Name of the arm</span><input type="text" maxlength=${NAME_MAX} value=${arm.name} onChange=${rename} /></label><button type="button" onClick=${remove}>Remove arm</button></div>`}
    <${WhatIf} key=${open} textOf=${textOf} open=${open} name=${arm?.name} made=${made} add=${add} />`;
}

interface WhatIfProps extends Pick<Props, 'open' | 'textOf'> {
  /** The name of the arm in the editor, unless that is the first one. */
  readonly name: string | undefined;
  readonly made: (change: string, text: string) => void;
  readonly add: (change: string, text: string) => void;
}

/** The moment at which a day begins; an empty field is no moment, and is refused. */
function momentOf(written: string): string {
  const day = Number(written);
  if (written === '') return '';
  return Number.isInteger(day) ? `${day}d` : `${Math.round(day * 1_440)}m`;
}

function WhatIf({ open, textOf, name, made, add }: WhatIfProps): VNode {
  const [{ rules, on }, setRules] = useState<{ readonly rules: readonly Rule[]; readonly on: string }>({
    rules: [],
    on: '0',
  });
  const [at, setAt] = useState(0);
  const [{ how, value, day }, set] = useState({ how: 'times', value: '2', day: '3' });
  const rule = rules[at];
  const read = async (text = textOf(open) ?? ''): Promise<void> => {
    const of = { text, at: momentOf(day) };
    const answer = await attempt<{ readonly rules: readonly Rule[] }>('simulation/rules', of);
    if (answer === undefined) return;
    if (rules.length === 0)
      setAt(
        Math.max(
          0,
          answer.rules.findIndex(({ section }) => section === 'heartbeat'),
        ),
      );
    setRules({ rules: answer.rules, on: day });
  };
  const apply = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isNew = (event as SubmitEvent).submitter?.getAttribute('value') === 'new';
    const text = textOf(isNew ? '' : open);
    if (rule === undefined || text === undefined) return;
    // An empty field is no number, and is refused.
    const wanted = { text, paths: rule.paths, how, value: value === '' ? null : Number(value), at: momentOf(day) };
    const answer = await attempt<{ readonly text: string }>('simulation/change', wanted);
    if (answer === undefined) return;
    const title = `${rule.section} ${rule.name} ${how === 'times' ? '×' : '='} ${value}${Number(day) > 0 ? ` from day ${day}` : ''}`;
    if (isNew) made(title, answer.text);
    else {
      add(title, answer.text);
      void read(answer.text);
    }
  };
  const textIn = (event: Event): string => (event.target as HTMLInputElement).value;
  return html`<details class="whatif" onToggle=${(event: Event) => (event.currentTarget as HTMLDetailsElement).open && read()}><summary>What if…</summary>
    <form onSubmit=${apply}><label>Rule <select value=${at} onChange=${(event: Event) => setAt(Number((event.target as HTMLSelectElement).value))}>${[...new Set(rules.map(({ section }) => section))].map((section) => html`<optgroup label=${section}>${rules.map((each, n) => each.section === section && html`<option value=${n} selected=${n === at}>${section}: ${each.name}</option>`)}</optgroup>`)}</select></label>
    <div class="tools"><label>becomes <select value=${how} onChange=${(event: Event) => set({ value, day, how: (event.target as HTMLSelectElement).value })}><option value="times">times</option><option value="to">the number</option></select></label>
      <label><span class="unseen">Number</span><input type="number" min=${how === 'to' ? rule?.low : 0} max=${how === 'to' ? rule?.high : undefined} step=${how === 'to' ? 1 : 'any'} required value=${value} onInput=${(event: Event) => set({ how, day, value: textIn(event) })} /></label>
      <label>from day <input type="number" min="0" step="any" required value=${day} onInput=${(event: Event) => set({ how, value, day: textIn(event) })} onChange=${() => day !== '' && read()} /></label></div>
    ${rule?.clauses.map(({ id, section, text }) => html`<p>${text} <a class="why" href=${hrefTo('conformance', 'clause', id)}>section ${section}</a></p>`)}
    <p class="soft">${rule === undefined ? '' : `${Number(on) > 0 ? `On day ${on}` : 'At the start'} ${name ?? 'base'} has ${rule.values.map(numberText).join(', ')} ${rule.unit}; ${numberText(rule.low)} to ${numberText(rule.high)}. ${rule.fixed ? 'It cannot change during a run: give day 0. ' : ''}Day 0 is the start.`}</p>
    <p class="steps"><button type="submit" value="new">New arm</button>${name === undefined ? null : html`<button type="submit" value="add">Add to this arm</button>`}</p></form></details>`;
}
