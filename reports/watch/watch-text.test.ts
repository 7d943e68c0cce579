import { expect, it } from 'vitest';
import type { WatchResult } from '../../results/watch-result.js';
import { watchText } from './watch-text.js';

const hash = `0x${'ab'.repeat(32)}`;
const body = JSON.stringify({
  ok: true,
  agent_hash: hash,
  passport: { format_version: 1, agent_hash: hash },
  current_beat: 501,
  fee: { amount_lamports: 500_000, tier: 1 },
});

const result: WatchResult = {
  ...{ schema: 'aips-lab/watch/1', tool_version: '0', exit_status: 1, base_url: 'http://registry', beats_url: null },
  ...{ network: 'devnet', dialect: 'service', assumed: [], forgotten: { full: 0, unknown: 0 }, clock: 'wall' },
  exchanges: { seen: 1, judged: 1, unknown: 0, not_judged: {} },
  power: { noticed: 3, of: 4 },
  clauses: [],
  breaks: [
    {
      ...{ clauses: ['fee.field.tier'], level: 'must', endpoint: 'POST /api/v1/agent/heartbeat', about: 'fee.tier' },
      ...{ expected: '2', actual: '1', count: 1, source: 'a.har, entry 1', is_complete: true },
      excerpt: [
        {
          source: 'a.har, entry 1',
          exchange: {
            request: { method: 'POST', url: 'http://registry/api/v1/agent/heartbeat', headers: {}, body: '{}' },
            response: { status: 200, headers: {}, body },
          },
        },
      ],
    },
  ],
  ...{ breaks_left: 0, missing: { expected: [], locked: [] } },
};

it('an excerpt shows the values of a reply, and of nested objects only the one that is judged', () => {
  const shown = watchText(result);
  expect(shown).toContain('"passport":{…},"current_beat":501,"fee":{"amount_lamports":500000,"tier":1}}');
  expect(shown).not.toContain(hash);
});
