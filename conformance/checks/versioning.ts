/**
 * Things that pass with time: the deprecated alias and its last day (9), and the beats at which an agent came to be.
 */

import { isAbsent } from '../../model/reading/field-tests.js';
import { DAY_MS } from '../../spec/time.js';
import { Unjudged } from '../assertions/unjudged.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { aliasIs, buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { withCleanup } from '../steps/with-cleanup.js';
import type { Check } from '../trial/check.js';

const base = {
  needs: ['payments', 'clock', 'control'],
  registers: 0,
  writes: true,
  exclusive: true,
} as const;

/** The alias and its last day. */
const versioningLineageProof: Check = {
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
  walletRegisters: 4,
  requests: 31,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports }, reissue: { feeLamports } }) =>
    2 * sigil.narrowTaskFeeLamports + 2 * tier1FeeLamports + 5 * feeLamports,
  async run(t) {
    const { lineageProofUntilMs } = t.protocol.passport;
    await t.control('POST anchors/stall', { on: true });
    await withCleanup(
      async () => {
        const [agent, later] = [
          await t.walletRoot({ sigil: 'narrow_task' }),
          await t.walletRoot({ sigil: 'narrow_task' }),
        ];
        const general = ['versioning.lineage-proof', 'passport.alias.identical'];
        if (t.nowMs() < lineageProofUntilMs - DAY_MS) {
          aliasIs(t, t.accepted(await heartbeat(t, agent)), ...general, 'heartbeat.reply.lineage-proof');
          aliasIs(t, t.accepted(await reissue(t, agent)), ...general, 'reissue-proof.reply.lineage-proof');
        }
        if (t.nowMs() < lineageProofUntilMs - DAY_MS) {
          // On the day before it is there wherever on the earth the last day is counted.
          await t.sleep({ ms: lineageProofUntilMs - DAY_MS - t.nowMs() });
          aliasIs(t, t.accepted(await reissue(t, agent)), ...general, 'reissue-proof.reply.lineage-proof');
        }
        if (t.nowMs() < lineageProofUntilMs) {
          await t.sleep({ ms: lineageProofUntilMs - t.nowMs() });
          // In which place of the earth the day ends, and that it is there up to its end, is our reading of the text.
          const last = t.accepted(await reissue(t, agent));
          t.shows('passport.alias.until').field(last, 'lineage_proof', last.get('passport'));
          await t.sleep({ ms: 1 });
          const first = t.accepted(await reissue(t, agent));
          t.shows('passport.alias.until').fieldIs(first, 'lineage_proof', isAbsent);
          await t.sleep({ ms: DAY_MS });
        }
        const reissued = t.accepted(await reissue(t, agent));
        t.shows('versioning.lineage-proof', 'reissue-proof.reply.lineage-proof').fieldIs(
          reissued,
          'lineage_proof',
          isAbsent,
        );
        const sent = t.accepted(await heartbeat(t, later));
        t.shows('versioning.lineage-proof', 'heartbeat.reply.lineage-proof').fieldIs(sent, 'lineage_proof', isAbsent);
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
      },
    );
  },
};

const versioningAgentAge: Check = {
  ...base,
  id: 'versioning/agent-age',
  title: 'registered_at_beat and sigil_issued_at_beat are those of the anchors at the time, whenever the chain starts',
  clauses: [
    'init.independent',
    'clock.registered-at-beat',
    'clock.issued-at-beat',
    'passport.field.registered-at-beat',
    'passport.field.sigil-issued-at-beat',
  ],
  needs: ['payments', 'clock'],
  exclusive: false,
  walletRegisters: 2,
  requests: 13,
  lamports: ({ sigil, reissue: { feeLamports } }) => sigil.narrowTaskFeeLamports + feeLamports,
  waits: () => ({ anchors: 5 }),
  async run(t) {
    const registered = await latestAnchor(t);
    const agent = await t.walletRoot();
    await t.sleep({ anchors: 3 });
    const anchor = await latestAnchor(t);
    // 4.4: its chain starts now. It was registered before.
    t.accepted(await t.call('init', { key: agent.key }));
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const before = bought.number('passport.registered_at_beat');
    t.shows('passport.field.registered-at-beat', 'init.independent').of(
      bought,
      'registered_at_beat of an agent that started its chain later',
      before < bought.number('sigil.issued_at_beat'),
      'before sigil.issued_at_beat',
      before,
    );
    await t.sleep({ anchors: 2 });
    const reply = t.accepted(await reissue(t, agent));
    // A purchase three anchors later has another beat, and keeps it.
    const beatOf = ({ index }: { readonly index: number }): number => index * t.protocol.anchor.beatsPerAnchor;
    const issuedAt = bought.number('sigil.issued_at_beat');
    t.shows('passport.field.sigil-issued-at-beat').field(reply, 'passport.sigil_issued_at_beat', issuedAt);
    if (anchor.index - registered.index !== 3) throw new Unjudged('not-tested', 'no 3 anchors came in 3 intervals');
    t.shows('clock.registered-at-beat').field(reply, 'passport.registered_at_beat', beatOf(registered));
    t.shows('clock.issued-at-beat').field(reply, 'passport.sigil_issued_at_beat', beatOf(anchor));
    t.shows('clock.issued-at-beat').field(bought, 'sigil.issued_at_beat', beatOf(anchor));
  },
};

export const versioningChecks: readonly Check[] = [versioningAgentAge, versioningLineageProof];
