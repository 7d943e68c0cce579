import { isBoolean } from '../assertions/field-tests.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { buy, heartbeat, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

/** The verify lookup: an agent with its lineage and its SIGIL. Batches are in verify-batch.ts. */
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
    const reply = t.accepted(await look(t, 'verify', agent.hash), 'verify.purpose', 'auth.public.verify');
    t.shows('verify.purpose', 'lineage.place').through('D-20').field(reply, 'agent.hash', agent.hash);
    t.shows('lineage.root').through('D-20').field(reply, 'agent.depth', 0);
    t.shows('lineage.root').through('D-20').field(reply, 'agent.parent', null);
    const anchor = await t.call('beat-anchor');
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    t.shows('verify.reply.passport').field(reply, 'passport', null);
    t.shows('verify.reply.sigil').field(reply, 'sigil', null);
    t.shows('verify.reply.lineage').field(reply, 'lineage.0.hash', agent.hash);
    t.shows('verify.reply.lineage').field(reply, 'lineage.1', undefined);
    t.shows('verify.reply.root').field(reply, 'root.hash', agent.hash);
    t.shows('verify.reply').field(reply, 'network.current_anchor_index', anchor.get('anchor.beat_index'));
    const ageMs = t.nowMs() - Number(anchor.get('anchor.utc'));
    const degraded = ageMs > degradedIntervals * intervalSec * 1_000;
    // Only a clock that can be told is one by which the age of an anchor is known.
    const assertion = t.shows('verify.reply.anchor-degraded');
    if (t.session.offers.has('clock')) assertion.field(reply, 'network.anchor_degraded', degraded);
    else assertion.fieldIs(reply, 'network.anchor_degraded', isBoolean);
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
    t.shows('clock.issued-at-beat').field(bought, 'sigil.issued_at_beat', index);
    t.accepted(await heartbeat(t, agent));
    const verified = t.accepted(await look(t, 'verify', agent.hash));
    for (const [field, value] of Object.entries(Object(bought.get('sigil')))) {
      if (field === 'generation') continue;
      t.shows('sigil.immutable').through('D-20').field(verified, `sigil.${field}`, value);
      t.shows('verify.reply.sigil').field(verified, `sigil.${field}`, value);
    }
    t.shows('metadata.generation.start').field(verified, 'sigil.generation', t.protocol.metadata.generationStart);
    const state = t.accepted(await look(t, 'status', agent.hash));
    const decided = t.shows('status.reply');
    decided.field(state, 'sigil', bought.get('sigil.sigil'));
    decided.field(state, 'identity_class', bought.get('sigil.identity_class'));
    decided.field(state, 'tier', bought.get('sigil.tier'));
    decided.field(state, 'beat_state.total_heartbeats', 1);
  },
};

export const verifyChecks: readonly Check[] = [
  verify,
  withSigil,
  ...lookupRefusals('verify'),
  lookupLimit('verify', 'limit.verify'),
];
