import { describe, expect, it } from 'vitest';
import { parsed, printed } from './babel.js';
import { applyEdit, type Edit } from './edit.js';

const source = `import { refuse } from './refusal.js';
/** A rule. */
export function pay({ agent, fee }: Input, nowMs: number): Paid | Refusal {
  const line = agent.line as Line;
  if (line.fee! < (fee as number)) return refuse('x/LOW', "too low");
  return { ok: true, paid: line.fee, at: nowMs };
}
export const limits = { fee: 3, ...others } satisfies Limits;`;

const edited = (edit: Omit<Edit, 'in'>, place = 'x.ts pay', text = source): string => {
  const program = parsed(text);
  applyEdit(program, { in: place, ...edit });
  return printed(program).replaceAll(/\s+/g, ' ');
};

describe('an edit', () => {
  it.each<[Omit<Edit, 'in'>, string]>([
    [{ change: ['line.fee < fee', 'line.fee <= fee'] }, 'if (line.fee <= fee) return'],
    [{ change: ['line.fee < fee', '$ && fee > 0'] }, 'if (line.fee < fee && fee > 0) return'],
    [{ change: ["return refuse('x/LOW', 'too low');", ''] }, 'if (line.fee < fee) {} return {'],
    [{ change: ['at: nowMs', ''] }, 'return { ok: true, paid: line.fee };'],
    [{ change: ['ok: true', 'late: false, $'] }, 'return { late: false, ok: true, paid'],
    [{ before: ['at: nowMs', 'fee += 1;'] }, 'fee += 1; return { ok'],
    [{ after: ['agent.line', 'line.seen = true;'] }, 'const line = agent.line; line.seen = true; if'],
    [{ enter: 'if (fee === 0) return null;' }, '{ if (fee === 0) return null; const line'],
    [{ import: ["{ emit } from './outbox.js'"], enter: 'emit(agent);' }, "import { emit } from './outbox.js'; import"],
  ])('%j', (edit, expected) => {
    expect(edited(edit).replaceAll('"', "'")).toContain(expected);
  });

  it('changes a constant', () => {
    expect(edited({ change: ['fee: 3', 'fee: 4'] }, 'x.ts limits')).toContain('limits = { fee: 4, ...others }');
  });

  it('fits other names of variables, blanks, quotes and types', () => {
    const other = source
      .replaceAll(/\bline\b(?! as|\.)/g, 'row')
      .replaceAll('line.fee', 'row.fee')
      .replace('{ agent, fee }', '{ agent, fee: due }');
    const text = other
      .replace('(fee as number)', 'due')
      .replace('nowMs: number', 'when: number')
      .replace('at: nowMs', 'at: when');
    const edit = { change: ['line.fee < fee', 'nowMs > 0 && $ && line.fee < fee'] } as const;
    expect(edited(edit, 'x.ts pay({}, nowMs)', text)).toContain(
      'if (when > 0 && row.fee < due && row.fee < due) return',
    );
    const given = { given: ['const line = agent.line;'], change: ['true', 'line.ok'] } as const;
    expect(edited(given, 'x.ts pay', text)).toContain('ok: row.ok');
  });

  it.each<[Omit<Edit, 'in'>, string, string]>([
    [{ change: ['line.tax', '0'] }, 'x.ts pay', 'x.ts pay: "line.tax" matches 0 times, and once is wanted'],
    [{ change: ['line.fee', '0'] }, 'x.ts pay', 'x.ts pay: "line.fee" matches 2 times'],
    [{ change: ['agent.line', 'agent.row(tax)'] }, 'x.ts pay', 'the new code uses tax, which nothing declares there'],
    [{ change: ['agent.line', 'agent.'] }, 'x.ts pay', 'this is no code (expression): agent.'],
    [{ change: ['agent.line', '0'] }, 'x.ts owe', 'x.ts declares 0 owe'],
    [{ change: ['agent.line', '0'] }, 'x.ts pay(registry)', 'x.ts pay has other parameters than (registry)'],
    [{ enter: 'limits.fee;' }, 'x.ts limits', 'only a function or a module can be entered'],
  ])('%j at %s is refused', (edit, place, message) => {
    expect(() => edited(edit, place)).toThrow(message);
  });
});
