import { expect, it } from 'vitest';
import { cheap, loadReference, startInProcess } from '../in-process/reference.js';
import { conform } from '../run/runner.js';
import type { WrittenCheck } from './check.js';
import { judgedBy, planned } from './planned.js';

it('a check without a row runs, and is about what it shows', async () => {
  const written: WrittenCheck = {
    id: 'register/of-a-new-kind',
    title: 'A registration makes a root',
    run: async (t) => {
      await t.root();
    },
  };
  const { target, send, close } = startInProcess(await loadReference(), { seed: 3, numbers: cheap });
  const options = { seed: 3, toolVersion: 'test', nowWallMs: () => 0, unprobed: true, transport: send };
  const { checks, clauses } = await conform(target, { ...options, checks: [planned(written)] });
  await close();
  expect(checks).toMatchObject([{ id: written.id, verdict: 'pass' }]);
  const shown = clauses.filter(({ evidence }) => evidence.length > 0).map(({ id }) => id);
  expect(shown).toContain('register.no-wallet.reply');
  expect(shown).not.toContain('heartbeat.reply');
  expect(judgedBy('dialect/new').filter((id) => !id.startsWith('dialect.'))).toEqual([]);
});
