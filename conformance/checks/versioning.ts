import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { heartbeat, reissue } from '../steps/paid.js';
import { tidied } from '../steps/tidied.js';
import type { Check } from '../trial/check.js';

const base = {
  needs: ['payments', 'clock', 'control'],
  registers: 0,
  writes: true,
  exclusive: true,
} as const;

const alias: Check = {
  ...base,
  id: 'versioning/lineage-proof',
  title: 'lineage_proof stands beside the passport until the end of 2026-09-01, and is gone after',
  clauses: [
    'versioning.lineage-proof',
    'heartbeat.reply.lineage-proof',
    'reissue-proof.reply.lineage-proof',
    'passport.alias.identical',
    'passport.alias.until',
  ],
  paysOnTime: true,
  controls: ['anchors/stall'],
  walletRegisters: 2,
  requests: 20,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports }, reissue: { feeLamports } }) =>
    sigil.narrowTaskFeeLamports + 2 * tier1FeeLamports + 3 * feeLamports,
  async run(t) {
    const { lineageProofUntilMs } = t.protocol.passport;
    const isThere = (reply: Reply): void => {
      t.accepted(reply);
      t.equal(`${reply.name}: lineage_proof`, reply.get('lineage_proof'), reply.get('passport'));
    };
    await t.control('POST anchors/stall', { on: true });
    await tidied(
      async () => {
        const agent = await t.walletRoot({ sigil: 'narrow_task' });
        if (t.nowMs() < lineageProofUntilMs) {
          isThere(await heartbeat(t, agent));
          await t.sleep({ ms: lineageProofUntilMs - t.nowMs() });
          const last = t.accepted(await reissue(t, agent));
          // That the alias is still there at the very end of the day is our reading of "after 2026-09-01".
          t.decided('D-11', () => isThere(last));
          await t.sleep({ ms: 1 });
        }
        const after = t.accepted(await reissue(t, agent));
        t.equal(`${after.name}: lineage_proof after 2026-09-01`, after.get('lineage_proof'), undefined);
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
      },
    );
  },
};

const start: Check = {
  ...base,
  id: 'versioning/agent-age',
  title: 'registered_at_beat and sigil_issued_at_beat are those of the anchors at the time',
  clauses: ['clock.registered-at-beat', 'clock.issued-at-beat', 'passport.field.registered-at-beat'],
  needs: ['payments', 'clock'],
  exclusive: false,
  walletRegisters: 2,
  requests: 12,
  lamports: ({ sigil, reissue: { feeLamports } }) => sigil.narrowTaskFeeLamports + feeLamports,
  waits: () => ({ anchors: 5 }),
  async run(t) {
    const registered = await latestAnchor(t);
    const agent = await t.walletRoot();
    await t.sleep({ anchors: 3 });
    const bought = await latestAnchor(t);
    await t.setup('a SIGIL', async () => {
      const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.sigil.narrowTaskFeeLamports });
      const what = { identity_class: 'narrow_task', principal: t.word(), tier: 'ind', payment_tx };
      t.accepted(await t.call('sigil', { key: agent.key, body: what }));
    });
    await t.sleep({ anchors: 2 });
    const reply = t.accepted(await reissue(t, agent));
    if (bought.index - registered.index !== 3) throw new Unjudged('not-tested', 'no 3 anchors came in 3 intervals');
    const [registeredAt, issuedAt] = [
      reply.number('passport.registered_at_beat'),
      reply.number('passport.sigil_issued_at_beat'),
    ];
    t.decided('D-04', () => t.equal('passport.registered_at_beat', registeredAt, registered.index));
    t.decided('D-04', () => t.equal('passport.sigil_issued_at_beat', issuedAt, bought.index));
  },
};

export const versioningChecks: readonly Check[] = [start, alias];
