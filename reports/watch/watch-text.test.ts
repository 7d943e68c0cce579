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
  exchanges: {
    seen: 1,
    judged: 1,
    unknown: 0,
    not_judged: {},
    undecided: [{ reason: 'calls of the control API', count: 2 }],
  },
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
      left: [
        { subject: 'agent 0x1', known: { heartbeats: 3, frozen: false }, unknown: ['sigil', 'last beat'] },
        { subject: 'service', known: {}, unknown: ['time'] },
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

it('shows what is known before a break, and why exchanges are not judged', () => {
  const shown = watchText(result);
  expect(shown).toMatch(/before it +agent 0x1: heartbeats 3, frozen false; unknown: sigil, last beat\n/);
  expect(shown).toContain('service: nothing is known; unknown: time\n');
  expect(shown).toContain('not judged: 2: calls of the control API');
});

it('counts clauses of the text and of decisions apart', () => {
  const clause = { section: '4.5', text: '', pass: 1, fail: 0, open: 0 } as const;
  const clauses = [
    { ...clause, id: 'a', level: 'must', state: 'holds' },
    { ...clause, id: 'b', level: 'decision', state: 'holds' },
    { ...clause, id: 'c', level: 'decision', state: 'fails' },
  ] as const;
  expect(watchText({ ...result, clauses })).toContain(
    'clauses of the text: 1 pass, 0 fail, 0 open; of decisions: 1 pass, 1 fail, 0 open',
  );
});
