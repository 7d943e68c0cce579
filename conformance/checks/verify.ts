import { verification } from '../../spec/endpoints/identity-schemas.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { buy, heartbeat, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const base = { needs: [], registers: 1, writes: true } as const;

const verify: Check = {
  ...base,
  id: 'verify/reply',
  shares: true,
  title: 'Anybody can verify an agent, with its lineage up to the root',
  clauses: [
    'verify.route',
    'verify.purpose',
    'auth.public.verify',
    'verify.reply',
    'verify.reply.passport',
    'verify.reply.agent',
    'verify.reply.sigil',
    'verify.reply.beat-state',
    'verify.reply.lineage',
    'verify.reply.root',
    'verify.reply.anchor-degraded',
    'lineage.place',
    'lineage.root',
  ],
  requests: 4,
  async run(t) {
    const agent = await t.root({ init: true });
    const reply = t.accepted(await look(t, 'verify', agent.hash), verification);
    t.shown(reply, 'agent.hash', agent.hash, 'D-20');
    t.shown(reply, 'agent.depth', 0, 'D-20');
    t.shown(reply, 'agent.parent', null, 'D-20');
    const anchor = await t.call('beat-anchor');
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    const ageMs = t.nowMs() - Number(anchor.get('anchor.utc'));
    const anchor_degraded = ageMs > degradedIntervals * intervalSec * 1_000;
    t.decided('D-20', () => {
      t.equal('passport', reply.get('passport'), null);
      t.equal('sigil', reply.get('sigil'), null);
      t.equal('lineage.0.hash', reply.get('lineage.0.hash'), agent.hash);
      t.equal('lineage.1', reply.get('lineage.1'), undefined);
      t.equal('root.hash', reply.get('root.hash'), agent.hash);
      t.fields(reply, 'network', { current_anchor_index: anchor.get('anchor.beat_index') });
      // Only a clock that can be told is one by which the age of an anchor is known.
      if (t.session.offers.has('clock')) t.fields(reply, 'network', { anchor_degraded });
    });
  },
};

const withSigil: Check = {
  ...base,
  id: 'verify/sigil',
  title: 'Lookups show the SIGIL of an agent, and its heartbeats',
  clauses: [
    'verify.reply.sigil',
    'sigil.immutable',
    'status.reply',
    'metadata.generation.start',
    'clock.issued-at-beat',
  ],
  needs: ['payments'],
  registers: 0,
  walletRegisters: 2,
  requests: 13,
  lamports: ({ sigil, heartbeat }) => sigil.narrowTaskFeeLamports + heartbeat.tier1FeeLamports,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const { index } = await latestAnchor(t);
    t.decided('D-04', () => t.equal('sigil.issued_at_beat', bought.get('sigil.issued_at_beat'), index));
    t.accepted(await heartbeat(t, agent));
    const verified = t.accepted(await look(t, 'verify', agent.hash), verification);
    const told = Object(verified.get('sigil')) as Record<string, unknown>;
    for (const [field, value] of Object.entries(Object(bought.get('sigil')))) {
      if (told[field] !== undefined) t.equal(`sigil.${field}`, told[field], value);
      else t.decided('D-20', () => t.equal(`sigil.${field}`, told[field], value));
    }
    t.shown(verified, 'sigil.generation', t.protocol.metadata.generationStart, 'D-47');
    const state = t.accepted(await look(t, 'status', agent.hash));
    t.shown(state, 'sigil', bought.get('sigil.sigil'), 'D-19');
    t.shown(state, 'identity_class', bought.get('sigil.identity_class'), 'D-19');
    t.shown(state, 'tier', bought.get('sigil.tier'), 'D-19');
    t.shown(state, 'beat_state.total_heartbeats', 1, 'D-19');
  },
};

export const verifyChecks: readonly Check[] = [
  verify,
  withSigil,
  ...lookupRefusals('verify'),
  lookupLimit('verify', 'limit.verify'),
];
