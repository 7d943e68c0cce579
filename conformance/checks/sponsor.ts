/** Sponsorships: who may sponsor whom, under which terms, and what listings show. Payments are in sponsor-heartbeat.ts. */

import type { Reply } from '../assertions/reply.js';
import { JUST_BEYOND } from '../steps/just-beyond.js';
import { makeChild, spawn } from '../steps/spawn-call.js';
import { family, list, sponsor } from '../steps/sponsor-call.js';
import { HOURS_OF_SEASONS } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'] } as const;

/** Ends the sponsorship of a child. */
export const end = (t: Trial, { key }: Agent, child_hash: unknown): Promise<Reply> =>
  t.call('sponsor.delete', { key, body: { child_hash }, mayMiss: true });

const create: WrittenCheck = {
  ...base,
  id: 'sponsor/create',
  title: 'An ancestor sponsors a child, ends that once, and sponsors it again',
  async run(t) {
    const { parent, child } = await family(t);
    await sponsor(t, parent, child.hash);
    await list(t, parent);
    for (let n = 0; n < 2; n += 1) await end(t, parent, child.hash);
    await list(t, parent);
    for (let n = 0; n < 2; n += 1) await sponsor(t, parent, child.hash);
    await list(t, parent);
    await end(t, parent, child.hash);
  },
};

const update: WrittenCheck = {
  ...base,
  id: 'sponsor/list-and-update',
  title: 'Sponsoring again replaces the terms, and the listing shows them',
  needs: ['beats', 'clock'],
  async run(t) {
    const { parent, child } = await family(t);
    // A sponsorship is younger than its child.
    await t.sleep({ sec: 60 });
    await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 7 });
    await list(t, parent);
    await t.sleep({ sec: 60 });
    await list(t, parent);
    for (const expires_in_hours of [...HOURS_OF_SEASONS, 2])
      await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 9, expires_in_hours });
    await list(t, parent);
    // Terms can be lowered, too, and a call that is refused updates none of them.
    const { heartbeatsEpochMax, expiresHoursMin } = t.protocol.sponsor;
    for (const terms of [
      { max_heartbeats_epoch: 3 },
      { max_heartbeats_epoch: heartbeatsEpochMax + 1, expires_in_hours: 24 },
      { max_heartbeats_epoch: 5, expires_in_hours: expiresHoursMin - 1 },
      {},
    ]) {
      await sponsor(t, parent, child.hash, terms);
      await list(t, parent);
    }
  },
};

/** Over a year: the text gives expires_in_hours a minimum alone. */
const HOURS_LONG = 9_000;

const bounds: WrittenCheck = {
  ...base,
  id: 'sponsor/bounds',
  title: 'A cap is a whole number from 1 to 10,000, and an expiry a number of hours from 1',
  async run(t) {
    const { heartbeatsEpochMin: least, heartbeatsEpochMax: most, expiresHoursMin: hours } = t.protocol.sponsor;
    // The same bounds hold where an existing sponsorship gets new terms.
    for (const [field, values] of [
      [
        'max_heartbeats_epoch',
        [
          least - 1,
          least - JUST_BEYOND,
          `${least}`,
          least,
          most + 1,
          most + JUST_BEYOND,
          `${most}`,
          most,
          least + 0.5,
          least - 1,
        ],
      ],
      ['expires_in_hours', [hours - 1, hours - JUST_BEYOND, `${hours}`, hours, HOURS_LONG, hours + 0.5, hours - 1]],
    ] as const) {
      const { parent, child } = await family(t);
      for (const value of values) await sponsor(t, parent, child.hash, { [field]: value });
    }
  },
};

const refused: WrittenCheck = {
  ...base,
  id: 'sponsor/refused',
  title: 'Sponsoring an unknown agent, oneself, a stranger or a child before it is linked is refused',
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent, { link: false });
    const unknown = `0x${t.hex(t.protocol.agent.hashBytes)}`;
    for (const hash of ['none', undefined, unknown, parent.hash, (await t.root()).hash, child.hash])
      await sponsor(t, parent, hash, {}, { mayMiss: true });
    await spawn(t, parent, { child_name: child.name, child_hash: child.hash });
    await sponsor(t, parent, child.hash);
    for (const hash of ['none', undefined]) await end(t, parent, hash);
  },
};

const noWallet: WrittenCheck = {
  ...base,
  id: 'sponsor/wallet-required',
  title:
    'A parent without a wallet sponsors nobody until it links one; its list is empty, and a revocation finds nothing',
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    await sponsor(t, parent, child.hash);
    await list(t, parent);
    await end(t, parent, child.hash);
    await linkWith(t, parent, t.wallet());
    await sponsor(t, parent, child.hash);
  },
};

export const sponsorChecks: readonly WrittenCheck[] = [create, update, bounds, refused, noWallet];
