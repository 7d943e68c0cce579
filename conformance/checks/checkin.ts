import type { Reply } from '../assertions/reply.js';
import { heartbeat } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** 4.15: the answer of the retired call. */
function gone(t: Trial, reply: Reply): void {
  t.refused(reply, 'checkin/GONE');
  t.about(['checkin.reply.deprecated'], () => t.equal('deprecated', reply.get('deprecated'), true));
}

const retired: Check = {
  id: 'checkin/gone',
  title: 'The check-in is retired, and the heartbeat of the same agent is not',
  clauses: [
    'checkin.route',
    'checkin.gone',
    'checkin.reply.deprecated',
    'checkin.error.gone',
    'checkin.replacement',
    'versioning.checkin',
  ],
  needs: ['payments'],
  registers: 0,
  walletRegisters: 2,
  requests: 11,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => sigil.narrowTaskFeeLamports + tier1FeeLamports,
  writes: true,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    gone(t, await t.call('checkin', { key: agent.key, body: {} }));
    t.accepted(await heartbeat(t, agent));
  },
};

const keyless: Check = {
  id: 'checkin/no-key',
  title: 'The check-in answers 410 without a key too',
  clauses: ['checkin.no-key'],
  needs: [],
  registers: 0,
  requests: 1,
  writes: false,
  async run(t) {
    gone(t, await t.call('checkin', { body: {} }));
  },
};

export const checkinChecks: readonly Check[] = [retired, keyless];
