/** The arms of a scenario: texts next to the first one, each with a name, and controls that write a changed rule into one. */

import { numberText } from '../../../results/numbers.js';
import type { Rule } from '../../server/simulation/what-if.js';
import { html, useState, type VNode } from '../markup.js';
import { choices } from '../parts.js';
import { attempt } from '../store.js';

/** An arm next to the first one, with the text that it was made with. */
export interface ArmText {
  readonly id: string;
  readonly name: string;
  readonly text: string;
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
    change(arms.map((each) => (each.id === open ? { ...each, name } : each)));
  };
  const remove = (): void => {
    choose('');
    change(arms.filter(({ id }) => id !== open));
  };
  const made = (name: string, text: string): void => {
    const id = crypto.randomUUID();
    change([...arms, { id, name: freeName(name, arms), text }]);
    choose(id);
  };
  return html`${arms.length === 0 ? null : choices('Arms', [['', 'base'], ...arms.map(({ id, name }) => [id, name] as const)], open, choose)}
    ${arm === undefined ? null : html`<div class="tools"><label class="grow"><span class="unseen">Name of the arm</span><input type="text" maxlength=${NAME_MAX} value=${arm.name} onChange=${rename} /></label><button type="button" onClick=${remove}>Remove arm</button></div>`}
    <${WhatIf} key=${open} textOf=${textOf} open=${open} name=${arm?.name} made=${made} write=${write} />`;
}

interface WhatIfProps extends Pick<Props, 'open' | 'textOf' | 'write'> {
  /** The name of the arm in the editor, unless that is the first one. */
  readonly name: string | undefined;
  readonly made: (name: string, text: string) => void;
}

function WhatIf({ open, textOf, name, made, write }: WhatIfProps): VNode {
  const [rules, setRules] = useState<readonly Rule[]>([]);
  const [at, setAt] = useState(0);
  const [{ how, value, day }, set] = useState({ how: 'times', value: 2, day: 3 });
  const rule = rules[at];
  const read = async (): Promise<void> => {
    const answer = await attempt<{ readonly rules: readonly Rule[] }>('simulation/rules', { text: textOf(open) ?? '' });
    if (answer === undefined) return;
    if (rules.length === 0)
      setAt(
        Math.max(
          0,
          answer.rules.findIndex(({ section }) => section === 'heartbeat'),
        ),
      );
    setRules(answer.rules);
  };
  const apply = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isNew = (event as SubmitEvent).submitter?.getAttribute('value') === 'new';
    const text = textOf(isNew ? '' : open);
    if (rule === undefined || text === undefined) return;
    const moment = Number.isInteger(day) ? `${day}d` : `${Math.round(day * 1_440)}m`;
    const wanted = { text, paths: rule.paths, how, value, at: moment };
    const answer = await attempt<{ readonly text: string }>('simulation/change', wanted);
    if (answer === undefined) return;
    const title = `${rule.section} ${rule.name} ${how === 'times' ? '×' : '='} ${value}${day > 0 ? ` from day ${day}` : ''}`;
    if (isNew) made(title, answer.text);
    else write(answer.text);
    void read();
  };
  const numberOf = (event: Event): number => Number((event.target as HTMLInputElement).value);
  return html`<details class="whatif" onToggle=${(event: Event) => (event.currentTarget as HTMLDetailsElement).open && read()}><summary>What if…</summary>
    <form onSubmit=${apply}><label>Rule <select value=${at} onChange=${(event: Event) => setAt(Number((event.target as HTMLSelectElement).value))}>${[...new Set(rules.map(({ section }) => section))].map((section) => html`<optgroup label=${section}>${rules.map((each, n) => each.section === section && html`<option value=${n} selected=${n === at}>${section}: ${each.name}</option>`)}</optgroup>`)}</select></label>
    <div class="tools"><label>becomes <select value=${how} onChange=${(event: Event) => set({ value, day, how: (event.target as HTMLSelectElement).value })}><option value="times">times</option><option value="to">the number</option></select></label>
      <label><span class="unseen">Number</span><input type="number" min=${how === 'to' ? rule?.low : 0} max=${how === 'to' ? rule?.high : undefined} step=${how === 'to' ? 1 : 'any'} required value=${value} onInput=${(event: Event) => set({ how, day, value: numberOf(event) })} /></label>
      <label>from day <input type="number" min="0" step="any" required value=${day} onInput=${(event: Event) => set({ how, value, day: numberOf(event) })} /></label></div>
    <p class="soft">${rule === undefined ? '' : `Now ${rule.values.map(numberText).join(', ')} ${rule.unit}; ${numberText(rule.low)} to ${numberText(rule.high)}. ${rule.fixed ? 'It cannot change during a run: give day 0. ' : ''}Day 0 is the start.`}</p>
    <p class="steps"><button type="submit" value="new">New arm</button>${name === undefined ? null : html`<button type="submit" value="add">Add to this arm</button>`}</p></form></details>`;
}
