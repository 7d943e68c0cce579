/** The tables of records of the reference: ledger, flags with their review, subsidies, partners, fees. */

import { numberText, solText } from '../../../results/numbers.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useLive, type VNode } from '../markup.js';
import { type Column, pill, table, timeText } from '../parts.js';
import { attempt, figures } from '../store.js';

type Row = Readonly<Record<string, unknown>>;

const text = (name: string, key = name): Column<Row> => ({ name, of: (row) => String(row[key] ?? '') });
const time = (name: string, key: string): Column<Row> => ({
  name,
  of: (row) => (typeof row[key] === 'number' ? timeText(row[key]) : 'no end'),
});
const sol = (name: string, key: string): Column<Row> => ({
  name,
  numeric: true,
  of: (row) => (typeof row[key] === 'number' ? solText(row[key]) : ''),
});
const count = (name: string, key = name): Column<Row> => ({
  name,
  numeric: true,
  of: (row) => numberText(Number(row[key])),
});
const state = (name: string, key: string): Column<Row> => ({ name, of: (row) => pill(String(row[key])) });
const short = (name: string, key: string): Column<Row> => ({
  name,
  of: (row) => html`<span class="mono" title=${String(row[key])}>${String(row[key] ?? '').slice(0, 12)}</span>`,
});

const review: Column<Row> = {
  name: 'review',
  of: (row) => {
    const outcomes =
      row['status'] === 'pending' ? ['sustain', 'dismiss'] : row['status'] === 'sustained' ? ['resolve'] : [];
    return html`<span class="steps">${outcomes.map((outcome) => html`<button type="button" class="quiet" onClick=${() => attempt('server/review', { id: row['id'], outcome })}>${outcome}</button>`)}</span>`;
  },
};

/** Each kind of record: its columns, and what an empty table teaches. */
const RECORDS = {
  flags: {
    columns: [
      state('status', 'status'),
      text('target'),
      text('reporter'),
      text('asserted class', 'assertedClass'),
      text('reason'),
      time('filed', 'createdAtMs'),
      review,
    ],
    empty: 'No agent has complained about another yet: critics of this population do so every few hours.',
  },
  ledger: {
    columns: [
      time('time', 'atMs'),
      text('kind'),
      state('status', 'status'),
      short('from', 'from'),
      short('to', 'to'),
      sol('amount', 'lamports'),
      { name: 'pays a fee', of: (row: Row) => (row['paid'] === true ? 'yes' : '') },
      short('signature', 'signature'),
    ],
    empty: 'Nothing was paid yet. Agents pay for SIGILs and heartbeats as soon as time passes.',
  },
  fees: {
    columns: [
      text('fee', 'type'),
      count('paid', 'count'),
      sol('in all', 'totalLamports'),
      ...['operations', 'contributors', 'development', 'treasury', 'referral'].map(
        (share): Column<Row> => ({
          name: share,
          numeric: true,
          of: (row) => solText(Number(Object(row['shares'])[share])),
        }),
      ),
    ],
    empty: '',
  },
  subsidies: {
    columns: [
      text('agent'),
      text('fee', 'feeType'),
      { name: 'discount', numeric: true, of: (row: Row) => `${Number(row['discountBps']) / 100} %` },
      text('reason'),
      time('until', 'validUntilMs'),
      {
        name: 'now',
        of: (row: Row) => pill(row['active'] === true ? 'active' : 'over', row['active'] === true ? 'good' : 'plain'),
      },
    ],
    empty: 'Nobody is subsidised. In this population sensors are, after an hour.',
  },
  partners: {
    columns: [
      text('name'),
      text('ref'),
      { name: 'webhook', of: (row: Row) => String(row['webhook'] ?? 'none') },
      count('waiting'),
      count('dead letters', 'dead'),
      {
        name: 'state',
        of: (row: Row) =>
          pill(row['suspended'] === true ? 'suspended' : 'open', row['suspended'] === true ? 'bad' : 'good'),
      },
    ],
    empty: 'There is no partner. Add one by the control API: POST /control/v1/partners.',
  },
} as const satisfies Readonly<Record<string, { readonly columns: readonly Column<Row>[]; readonly empty: string }>>;

/** One kind of record, read again when the state changes. */
export function Records({ kind }: { readonly kind: keyof typeof RECORDS }): VNode {
  const version = useLive(() => `${figures.value?.nowMs} ${figures.value?.commands} ${figures.value?.past?.atMs}`);
  const answer = useAnswer<{ readonly total: number; readonly rows: readonly Row[] }>(
    'server/table',
    { table: kind },
    version,
  );
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const { total, rows } = answer.value;
  const { columns, empty } = RECORDS[kind];
  return html`${total > rows.length ? html`<p class="soft">The latest ${numberText(rows.length)} of ${numberText(total)}.</p>` : null}${table<Row>(kind, columns, rows.slice(0, 100), empty)}`;
}
