/**
 * Secrets in replies that do not issue them. Every reply of a run is searched for them (trial/secrets.ts); this check asks
 * the lookups and the calls of one agent, and provokes refusals that might repeat a key.
 */
import type { Reply } from '../assertions/reply.js';
import type { Check } from '../trial/check.js';

const kept: Check = {
  id: 'secrets/kept',
  title: 'Neither key nor secret of an agent stands in a lookup, in a later reply or in a refusal',
  clauses: ['key.secret.kept'],
  needs: [],
  registers: 1,
  requests: 10,
  writes: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const [params, key] = [{ hash: agent.hash }, agent.key];
    const looks = (reply: Reply): void => {
      const clean = !reply.text.includes(agent.key) && !(agent.secret !== '' && reply.text.includes(agent.secret));
      t.shows('key.secret.kept').of(
        reply,
        'a reply that issues no secret',
        clean,
        'no key and no secret',
        reply.excerpt(),
      );
    };
    looks(await t.call('status', { params }));
    looks(await t.call('verify', { params }));
    looks(await t.call('beat-status', { params }));
    looks(await t.call('verify-batch', { body: { hashes: [agent.hash] } }));
    looks(await t.call('init', { key }));
    looks(await t.call('heartbeat', { key, body: {} }));
    looks(await t.call('init', { key: `${key}0` }));
  },
};

export const secretsChecks: readonly Check[] = [kept];
