import { beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../reports/conformance-result.js';
import { withOverlay } from '../../spec/overlay.js';
import { allChecks } from '../checks/index.js';
import { conform } from '../run/runner.js';
import { type PermittedForm, permittedForms, permitting } from './permitted.js';
import { loadReference, startInProcess } from './reference.js';

/** Checks that march for hours, or that run alone, see no other forms than the rest. */
const checks = allChecks.filter(({ requests, exclusive }) => requests <= 400 && exclusive !== true);
const numbers = withOverlay({ beat: { difficulty: 4 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } });

async function judged(form?: PermittedForm): Promise<ConformanceResult> {
  const server = startInProcess(await loadReference(), { seed: 1, numbers });
  const transport = form === undefined ? server.send : permitting(server.send, form, 'http://127.0.0.1:2');
  try {
    const options = { seed: 1, toolVersion: 'test', nowWallMs: Date.now, checks, transport, unprobed: true };
    return await conform(server.target, options);
  } finally {
    await server.close();
  }
}

/** The must clauses that a run judged. */
function judgedClauses({ clauses }: ConformanceResult): ReadonlySet<string> {
  const states = ['holds', 'fails'];
  return new Set(clauses.filter(({ level, state }) => level === 'must' && states.includes(state)).map(({ id }) => id));
}

let all: ReadonlySet<string>;
beforeAll(async () => {
  const plain = await judged();
  expect(plain.findings).toEqual([]);
  all = judgedClauses(plain);
});

describe('a server that differs only where the specification is silent', () => {
  it.each(permittedForms.map((form) => [form.id, form] as const))(
    '%s has no failure against the text',
    async (_, form) => {
      const result = await judged(form);
      const against = result.findings.filter(({ level }) => level === 'must');
      expect(against.map(({ id, expected, actual, checks: met }) => ({ id, expected, actual, met }))).toEqual([]);
      expect(result.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
      const now = judgedClauses(result);
      const lost = [...all].filter((id) => !now.has(id));
      expect(lost.length, lost.join(' ')).toBeLessThanOrEqual(form.lost);
    },
  );
});
