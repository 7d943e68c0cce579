/** Sponsorships: the agents that may sponsor another, the terms, and the listings. Payments are in sponsor-heartbeat.ts. */

import { spawn } from '../moves/spawn.js';
import { caps, endSponsorship, expiries, listSponsorships, sponsor } from '../moves/sponsor.js';
import { makeChild } from '../steps/spawn-call.js';
import { family } from '../steps/sponsor-call.js';
import { HOURS_OF_SEASONS } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';

const base = { needs: ['beats'] } as const;

const create: WrittenCheck = {
  ...base,
  id: 'sponsor/create',
  title: 'A sponsorship of a child by an ancestor is accepted, revoked once, and accepted again',
  async run(t) {
    const { parent, child } = await family(t);
    await t.send(sponsor(parent, child.hash));
    await t.send(listSponsorships(parent));
    for (let n = 0; n < 2; n += 1) await t.send(endSponsorship(parent, child.hash), { mayMiss: true });
    await t.send(listSponsorships(parent));
    for (const expires_in_hours of [...HOURS_OF_SEASONS, undefined])
      await t.send(sponsor(parent, child.hash, { expires_in_hours }));
    await t.send(listSponsorships(parent));
    await t.send(endSponsorship(parent, child.hash), { mayMiss: true });
  },
};

const bounds: WrittenCheck = {
  ...base,
  id: 'sponsor/bounds',
  title: 'A cap that is not a whole number from 1 to 10,000, or an expiry below 1 hour, is refused',
  async run(t) {
    // The same bounds hold where an existing sponsorship gets new terms.
    for (const [field, values] of [
      ['max_heartbeats_epoch', caps(t.protocol)],
      ['expires_in_hours', expiries(t.protocol)],
    ] as const) {
      const { parent, child } = await family(t);
      for (const value of [...Object.values(values), values['too-low']])
        await t.send(sponsor(parent, child.hash, { [field]: value }));
      await t.send(listSponsorships(parent));
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
      await t.send(sponsor(parent, hash, {}), { mayMiss: true });
    await t.send(spawn(parent, { child_name: child.name, child_hash: child.hash }));
    await t.send(sponsor(parent, child.hash));
    for (const hash of ['none', undefined]) await t.send(endSponsorship(parent, hash), { mayMiss: true });
  },
};

const noWallet: WrittenCheck = {
  ...base,
  id: 'sponsor/wallet-required',
  title:
    'A sponsorship by a parent without a wallet is refused until it links one; its list is empty, and a revocation finds nothing',
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    await t.send(sponsor(parent, child.hash));
    await t.send(listSponsorships(parent));
    await t.send(endSponsorship(parent, child.hash), { mayMiss: true });
    await linkWith(t, parent, t.wallet());
    await t.send(sponsor(parent, child.hash));
  },
};

export const sponsorChecks: readonly WrittenCheck[] = [create, bounds, refused, noWallet];
