/**
 * Secrets in replies that do not issue them. The suite searches every reply of a run for them (trial/secrets.ts). This check
 * sends lookups and calls of one agent, and causes refusals that might repeat a key.
 */
import { verifyBatch } from '../moves/verify-batch.js';
import type { WrittenCheck } from '../trial/check.js';

const kept: WrittenCheck = {
  id: 'secrets/kept',
  title: 'No lookup, later reply or refusal shows the key or the secret of an agent',
  async run(t) {
    const agent = await t.root({ init: true });
    const [params, key] = [{ hash: agent.hash }, agent.key];
    const replies = [
      ...(await Promise.all((['status', 'verify', 'beat-status'] as const).map((id) => t.call(id, { params })))),
      await t.send(verifyBatch([agent.hash])),
      await t.call('init', { key }),
      await t.call('heartbeat', { key, body: {} }),
      await t.call('init', { key: `${key}0` }),
    ];
    for (const reply of replies) {
      const clean = !reply.text.includes(key) && !(agent.secret !== '' && reply.text.includes(agent.secret));
      const about = 'a reply that issues no secret';
      t.shows('key.secret.kept').that(about, clean, 'no key and no secret', reply.excerpt(), reply);
    }
  },
};

export const secretsChecks: readonly WrittenCheck[] = [kept];
