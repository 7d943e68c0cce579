import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clauseById, clauses } from '../../spec/clauses/index.js';
import { pinOf } from '../../spec/numbers.js';
import { protocol, protocolNumbers } from '../../spec/protocol.js';
import { checksByClause } from '../judge/coverage.js';
import { plan } from '../run/plan.js';
import { bareTarget } from '../target/target.js';
import { levelOf, stemOf } from '../trial/check.js';
import { judgedBy } from '../trial/planned.js';
import { allChecks } from './index.js';

const ids = allChecks.map(({ id }) => id);

describe('the suite', () => {
  it('has at least 100 checks, at least 50 of them about refusals', () => {
    expect(allChecks.length).toBeGreaterThanOrEqual(100);
    expect(
      allChecks.filter(({ clauses }) => clauses.some((id) => id.includes('.error.'))).length,
    ).toBeGreaterThanOrEqual(50);
  });

  it('has no id twice, and every id in words', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z0-9]+)*$/);
  });

  it('has a title of its own for every check', () => {
    expect(new Set(allChecks.map(({ title }) => title)).size).toBe(allChecks.length);
  });

  it.each(allChecks.map((check) => [check.id, check] as const))(
    '%s names clauses that exist and can be judged',
    (_, check) => {
      expect(check.clauses.length).toBeGreaterThan(0);
      expect(check.clauses.length, 'it has no row in plan.json: npm run plan').toBeLessThan(judgedBy(check.id).length);
      expect(new Set(check.clauses).size).toBe(check.clauses.length);
      for (const clause of check.clauses) expect(clauseById(clause).excluded).toBeUndefined();
      expect(['must', 'decision']).toContain(levelOf(check));
      expect(check.requests).toBeGreaterThan(0);
      if (check.needs.includes('payments') === false) expect(check.lamports?.(protocol) ?? 0).toBe(0);
    },
  );

  it('keeps every check in a file whose name begins with the stem of its id', () => {
    const folders = ['.', '../derived'].flatMap((folder) => readdirSync(new URL(folder, import.meta.url)));
    const files = folders.filter((name) => !name.endsWith('.test.ts'));
    for (const check of allChecks) {
      const stem = stemOf(check);
      expect(
        files.some((name) => name === `${stem}.ts` || name.startsWith(`${stem}-`)),
        check.id,
      ).toBe(true);
    }
  });

  it('has checks that wait only beside others, and quiet ones only where no registration is spent', () => {
    const waiting = allChecks.filter(({ waits }) => waits !== undefined);
    expect(waiting.length).toBeGreaterThan(60);
    for (const { id, needs, exclusive } of waiting) {
      expect(needs, id).toContain('clock');
      expect(exclusive, id).not.toBe(true);
    }
    const quiet = allChecks.filter((check) => check.runsAlone === true);
    expect(quiet.length).toBeGreaterThan(5);
    for (const check of quiet) {
      expect(check.needs, check.id).toContain('client-ip');
      expect([check.registers, check.walletRegisters ?? 0, check.tokens ?? 0], check.id).toEqual([0, 0, 0]);
      expect(check.waits?.(protocol), check.id).toEqual({ sec: 60 });
      for (const clause of check.clauses) expect(clause, check.id).not.toContain('auth.rate-bucket');
    }
  });

  it('hands agents on only between checks that neither wait nor spend anything else', () => {
    const sharing = allChecks.filter(({ shares }) => shares === true);
    expect(sharing.length).toBeGreaterThan(5);
    for (const check of sharing) {
      expect(check.needs, check.id).not.toContain('clock');
      expect([check.walletRegisters ?? 0, check.tokens ?? 0, check.exclusive ?? false], check.id).toEqual([
        0,
        0,
        false,
      ]);
    }
  });

  it('plans a run of a bare URL', () => {
    const planned = plan(bareTarget('http://127.0.0.1:1'), allChecks, {});
    // The target has no checks of the facts of other dialects (D-57).
    const ofFacts = allChecks.filter((check) => stemOf(check) === 'dialect');
    expect(planned.checks).toHaveLength(allChecks.length - ofFacts.length);
    expect(planned.runs).toBeGreaterThan(20);
    for (const { reason, verdict } of planned.checks) expect(reason === undefined).toBe(verdict === undefined);
  });
});

it.each(['sponsor/payers', 'sponsor/expired'])(
  '%s is not judged where anybody may pay for an agent without a wallet',
  (only) => {
    const target = { ...bareTarget('http://127.0.0.1:1'), byoWallet: false };
    const check = allChecks.find(({ id }) => id === only);
    expect(check?.unsuitableFor?.(target)).toContain('byo_wallet: false');
    expect(check?.unsuitableFor?.({ ...target, byoWallet: true })).toBeUndefined();
  },
);

describe('the gate of coverage', () => {
  const judges = checksByClause(allChecks);

  it('every clause has a check, or an exclusion with its reason, and not both', () => {
    const open = clauses.filter(({ id, excluded }) => (excluded === undefined) !== judges.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

it('every number of the protocol is pinned by a check', () => {
  for (const { path } of protocolNumbers()) expect(ids, path).toContain(pinOf(path).check);
});
