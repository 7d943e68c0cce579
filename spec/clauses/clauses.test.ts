import { describe, expect, it } from 'vitest';
import { decisions } from '../decisions.js';
import { endpoints } from '../endpoints/index.js';
import { clauseById, clauses, sections } from './index.js';

const areas: ReadonlySet<string> = new Set([
  ...endpoints.map(({ stem }) => stem),
  ...`service agent beat genesis anchor proof receipt fee split dms lineage key auth event delivery constant versioning
   error body limit convention dialect clock name`.split(/\s+/),
]);

const musts = clauses.filter(({ level }) => level === 'must');
const decided = clauses.filter(({ level }) => level === 'decision');

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe('clauses', () => {
  it('have ids of dotted words that no two share', () => {
    expect(clauses.map(({ id }) => id).filter((id) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(id))).toEqual([]);
    expect(repeated(clauses.map(({ id }) => id))).toEqual([]);
  });

  it('have ids that begin with an endpoint or an area', () => {
    expect(clauses.filter(({ id }) => !areas.has(id.split('.')[0] ?? '')).map(({ id }) => id)).toEqual([]);
  });

  it('say one thing each, in a sentence', () => {
    expect(repeated(clauses.map(({ text }) => text.toLowerCase()))).toEqual([]);
    expect(clauses.filter(({ text }) => !/^\S.*\S\.$/.test(text)).map(({ id }) => id)).toEqual([]);
  });

  it('give a reason wherever one is excluded', () => {
    const excluded = clauses.filter((clause) => 'excluded' in clause);
    expect(excluded.length).toBeGreaterThan(0);
    expect(excluded.length).toBeLessThan(clauses.length / 20);
    expect(excluded.filter(({ excluded: reason }) => (reason ?? '').length < 10).map(({ id }) => id)).toEqual([]);
  });

  it('name sections that exist, and leave none out but the heading of section 3', () => {
    const known = new Set(sections.map(({ section }) => section));
    const used = new Set(clauses.map(({ section }) => section));
    expect([...used].filter((section) => !known.has(section))).toEqual([]);
    expect([...known].filter((section) => !used.has(section))).toEqual(['3']);
  });

  it('number at least 350 statements of the specification, before those of the decisions', () => {
    expect(musts.length).toBeGreaterThanOrEqual(350);
    expect(clauses.map(({ level }) => level)).toEqual([...musts.map(() => 'must'), ...decided.map(() => 'decision')]);
  });

  it('stand in the order of the sections', () => {
    const order = sections.map(({ section }) => section);
    const top = musts.map(({ section }) => Number(section.split('.')[0]));
    expect(top).toEqual(top.toSorted((a, b) => a - b));
    expect(order.indexOf('2.10')).toBe(order.indexOf('2.9') + 1);
  });

  it('name a decision exactly when they rest on one', () => {
    expect(musts.filter((clause) => 'decision' in clause).map(({ id }) => id)).toEqual([]);
    const ids = new Set(decisions.map(({ id }) => id));
    expect(decided.filter(({ decision }) => decision === undefined || !ids.has(decision)).map(({ id }) => id)).toEqual(
      [],
    );
  });

  it('cover every decision', () => {
    const used = new Set(decided.map(({ decision }) => decision));
    expect(decisions.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });

  it.each([
    ['heartbeat.interval.min', 'paragraph “Minimum interval”'],
    ['agent.field.wallet-model.operator', 'table of fields, row wallet_model'],
    ['sponsor.route.get', 'table of endpoints, row /api/v1/agent/sponsor'],
    ['heartbeat.error.payment-already-used', 'table of errors, row heartbeat 409 PAYMENT_ALREADY_USED'],
    ['sigil.error.payment-invalid.amount', 'table of errors, row heartbeat, sigil, reissue-proof 400 PAYMENT_INVALID'],
    ['wallet.error.nonce-invalid', 'table of errors, row wallet link 400'],
    ['limit.register', 'table of limits, row register (no wallet and child)'],
    ['constant.subsidy-floor', 'table of constants, row Subsidy floor default'],
    ['dms.when', 'left open there; D-24 settles it'],
  ])('say where they rest: %s at %s', (id, where) => {
    expect(clauseById(id).where).toBe(where);
  });

  it('rest on a table and row, a paragraph or an item of the text, and those of decisions on none', () => {
    const form =
      /^(table of [a-z ]+, row \S.*|(paragraph|bullet) “[^”]+”|(item|rule|delivery rule|mode) \d.*|opening paragraph of the document)$/;
    expect(musts.filter(({ where }) => !form.test(where)).map(({ id, where }) => [id, where])).toEqual([]);
    expect(decided.filter(({ where, decision }) => where !== `left open there; ${decision} settles it`)).toEqual([]);
  });

  it('are frozen', () => {
    expect(Object.isFrozen(clauses)).toBe(true);
    expect(clauses.filter((clause) => !Object.isFrozen(clause))).toEqual([]);
    expect(Object.isFrozen(sections)).toBe(true);
    expect(sections.filter((section) => !Object.isFrozen(section))).toEqual([]);
  });

  it('are found by id, and an unknown id is a RangeError that names it', () => {
    expect(clauseById('heartbeat.interval.min')).toMatchObject({ section: '4.5', level: 'must' });
    expect(clauseById('limit.status')).toMatchObject({ section: '8', level: 'decision', decision: 'D-23' });
    expect(() => clauseById('heartbeat.interval.max')).toThrow(RangeError);
    expect(() => clauseById('heartbeat.interval.max')).toThrow('heartbeat.interval.max');
  });
});
