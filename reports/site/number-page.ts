/** The page of a number of the protocol: its value, the clauses that state it, and the check that notices another. */

import { numberText } from '../../results/numbers.js';
import { clauseById } from '../../spec/clauses/index.js';
import { isoOf } from '../../spec/formats.js';
import { unitOf } from '../../spec/number-bounds.js';
import { addedNumbers, clausesOfNumber, pinOf, wrongValues } from '../../spec/numbers.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { html } from '../views/markup.js';
import { Facts } from '../views/parts.js';
import { addressOf, rootFrom, type SiteFacts } from './facts.js';
import { sitePage, Thing, Things } from './page.js';

type ProtocolNumber = ReturnType<typeof protocolNumbers>[number];

const byClause = new Map<string, ProtocolNumber[]>();
for (const number of protocolNumbers()) {
  for (const clause of clausesOfNumber(number.path)) byClause.set(clause, [...(byClause.get(clause) ?? []), number]);
}

/** The numbers that a clause states. */
export const numbersOfClause = (clause: string): readonly ProtocolNumber[] => byClause.get(clause) ?? [];

/** The value of a number with its unit; of an instant the date, and what 0 means where it switches something off. */
export function valueText({ path, value }: ProtocolNumber): string {
  const unit =
    value === 1
      ? unitOf(path).replace(/(?<=anchor|beat|byte|character|day|hour|heartbeat|request)s$/, '')
      : unitOf(path);
  const text = `${numberText(value)} ${unit}`.trim();
  if (path.endsWith('UntilMs')) return `${text}, ${isoOf(value)}`;
  if (value !== 0) return text;
  return path === 'agent.depthMax' ? `${text}: no limit` : addedNumbers.has(path) ? `${text}: off` : text;
}

/** The page of a number as text. */
export function numberPage(number: ProtocolNumber, facts: SiteFacts): string {
  const { path, value } = number;
  const address = addressOf('number', path);
  const root = rootFrom(address);
  const { check, advisory } = pinOf(path);
  const wrong = wrongValues(path, value).map((each) => numberText(each.value));
  const written = path.split('.').reduceRight((inner, name) => `{ ${name}: ${inner} }`, '…');
  const added = addedNumbers.has(path);
  const stated = clausesOfNumber(path).map((id) => ({ id, text: clauseById(id).text }));
  const content = html`<p class="crumbs"><a href="${root}n/index.html">Numbers</a></p>
<h1 class="mono">${path}</h1>
<p class="statement">${valueText(number)}</p>
${added ? html`<p>The text has no such number. This tool adds it to try other rules, and 0 switches it off.</p>` : undefined}
${Facts({
  kind: 'facts',
  facts: [
    [
      'noticed by',
      html`${Thing({ kind: 'check', id: check, root })}${advisory ? ' (advisory: only a decision gives it)' : ''}`,
    ],
    ['mistakes tried', wrong.length === 0 ? undefined : wrong.join(', ')],
    ['in a target file', html`<code>protocol: ${written}</code>`],
  ],
})}
<h2>Clauses that ${added ? 'it affects' : 'state it'}</h2>
${Things('clause', root, stated)}`;
  return sitePage({ address, title: `${path}: a number`, about: `${path} is ${valueText(number)}.`, content }, facts);
}
