/** Several sponsorships in one lineage: which of them each agent may make, list and revoke. One sponsorship is judged in sponsor.ts. */

import { endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { fewest, lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { look } from './lookup.js';

const base = { needs: ['beats'] } as const;

const family: WrittenCheck = {
  ...base,
  id: 'sponsor/grandchild',
  title: 'A sponsorship of a child or grandchild is accepted, and one of an ancestor or a sibling is refused',
  async run(t) {
    const root = await t.root({ init: true });
    // A wallet linked in the operator form counts as well.
    await linkWith(t, root, t.wallet(), 'operator');
    const elder = await makeChild(t, root, { init: true });
    // A child gets no wallet, whether its parent has a self-custody or an operator wallet.
    await look(t, 'status', elder.hash);
    const younger = await makeChild(t, root, { siblings: 1 });
    await linkWith(t, elder);
    const grandchild = await makeChild(t, elder, { depth: 1, init: true });
    for (const [by, of] of [
      [root, elder],
      [root, younger],
      [root, grandchild],
      [elder, root],
      [elder, younger],
      [elder, grandchild],
    ] as const)
      await t.send(sponsor(by, of.hash));
    for (const agent of [root, elder, grandchild]) await t.send(listSponsorships(agent));
  },
};

const revokedByOthers: WrittenCheck = {
  ...base,
  id: 'sponsor/revoked-by-others',
  title: 'A sponsorship can be revoked only by its sponsor, and the others stay',
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    await linkWith(t, parent);
    const child = await makeChild(t, parent, { depth: 1 });
    for (const { hash } of [parent, child]) await t.send(sponsor(root, hash));
    for (const [who, whose] of [
      [await t.root(), child],
      [child, child],
      [child, root],
      [parent, root],
      [parent, parent],
      // The parent may sponsor the child, but does not.
      [parent, child],
    ] as const)
      await t.send(endSponsorship(who, whose.hash), { mayMiss: true });
    await t.send(listSponsorships(root));
    await t.send(sponsor(parent, child.hash));
    await t.send(endSponsorship(root, child.hash), { mayMiss: true });
    for (const agent of [parent, root]) await t.send(listSponsorships(agent));
    await t.send(endSponsorship(parent, child.hash), { mayMiss: true });
  },
};

const rootFroze: WrittenCheck = {
  ...base,
  id: 'sponsor/root-froze',
  title: 'The freeze of a root ends its sponsorship of a grandchild, and a new one is refused',
  needs: ['beats', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    const child = await makeChild(t, parent, { depth: 1 });
    // This chain starts later than that of the root, so the two agents are not frozen at the same time.
    const late = Math.min(30, fewest(t) - 1);
    await t.sleep({ anchors: late });
    await t.call('init', { key: child.key });
    await t.send(sponsor(root, child.hash));
    await lapse(t, root, { left: fewest(t) - late });
    await t.send(listSponsorships(root));
    await t.send(sponsor(root, child.hash));
  },
};

const siblings: WrittenCheck = {
  ...base,
  id: 'sponsor/siblings',
  title: "Sponsoring, paying for and revoking one child does not change a parent's sponsorship of another",
  needs: ['beats', 'payments'],
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent, { init: true });
    await t.send(sponsor(parent, child.hash, { max_heartbeats_epoch: 7, expires_in_hours: 48 }));
    await sponsoredHeartbeat(t, child, parent);
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    for (const step of [
      () => t.send(sponsor(parent, sibling.hash, { max_heartbeats_epoch: 9 })),
      () => sponsoredHeartbeat(t, sibling, parent),
      () => t.send(sponsor(parent, sibling.hash, { max_heartbeats_epoch: 11, expires_in_hours: 3 })),
      () => t.send(endSponsorship(parent, sibling.hash), { mayMiss: true }),
    ]) {
      await t.send(listSponsorships(parent));
      await step();
    }
    await t.send(listSponsorships(parent));
  },
};

export const sponsorTreeChecks: readonly WrittenCheck[] = [family, revokedByOthers, rootFroze, siblings];
