import { expect, it } from 'vitest';
import { check, fake, json, local, run } from '../../test/fixtures/fake-target.js';
import { complaint } from '../moves/flag.js';
import { flagging } from './flagging.js';
import { withCleanup } from './with-cleanup.js';

const refuse = (what: string) => (): Promise<void> => Promise.reject(new Error(what));

it('what steps find is told before what undoing them meets, and they are undone however they end', async () => {
  let undone = 0;
  const undo = async (): Promise<void> => {
    undone += 1;
  };
  await expect(withCleanup(refuse('found'), undo)).rejects.toThrow('found');
  await withCleanup(async () => {}, undo);
  expect(undone).toBe(2);
  await expect(withCleanup(refuse('found'), refuse('stuck'))).rejects.toThrow('found');
  await expect(withCleanup(async () => {}, refuse('stuck'))).rejects.toThrow('stuck');
});

it('a flag that cannot be dismissed hides no fault', async () => {
  const agent = { hash: `0x${'0'.repeat(64)}`, key: 'k', secret: 's', name: 'n' };
  const files = check('flag/filed', (t) =>
    flagging(t, async (flags) => {
      const reply = await flags.file(agent, complaint(agent));
      t.shows('register.route').field(reply, 'status', 'pending');
    }),
  );
  const answers = { 'POST /api/v1/agent/flag': () => json(200, { flag_id: 'one', status: 'lost' }) };
  const { checks } = await run(local, [files], fake(answers).transport, { unprobed: true });
  expect(checks[0]).toMatchObject({ verdict: 'fail', about: 'POST /api/v1/agent/flag: status', actual: '"lost"' });
});
