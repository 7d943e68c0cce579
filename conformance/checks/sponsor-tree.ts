/** Several sponsorships in one lineage: whom each agent of it may sponsor, list and revoke. One sponsorship is judged in sponsor.ts. */

import { fewest, lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { list, sponsor, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { look } from './lookup.js';
import { end } from './sponsor.js';

const base = { needs: ['beats'] } as const;

const family: WrittenCheck = {
  ...base,
  id: 'sponsor/grandchild',
  title: 'An agent sponsors its children and their children, but no ancestor and no sibling',
  async run(t) {
    const root = await t.root({ init: true });
    // The wallet of an operator is a linked one too.
    await linkWith(t, root, t.wallet(), 'operator');
    const elder = await makeChild(t, root, { init: true });
    // A child gets no wallet, in whichever form its parent has one.
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
      await sponsor(t, by, of.hash);
    for (const agent of [root, elder, grandchild]) await list(t, agent);
  },
};

const revokedByOthers: WrittenCheck = {
  ...base,
  id: 'sponsor/revoked-by-others',
  title: 'Only its sponsor revokes a sponsorship, and the others stay',
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    await linkWith(t, parent);
    const child = await makeChild(t, parent, { depth: 1 });
    for (const { hash } of [parent, child]) await sponsor(t, root, hash);
    for (const [who, whose] of [
      [await t.root(), child],
      [child, child],
      [child, root],
      [parent, root],
      [parent, parent],
      // An ancestor too, which may sponsor the child and does not.
      [parent, child],
    ] as const)
      await end(t, who, whose.hash);
    await list(t, root);
    await sponsor(t, parent, child.hash);
    await end(t, root, child.hash);
    for (const agent of [parent, root]) await list(t, agent);
    await end(t, parent, child.hash);
  },
};

const rootFroze: WrittenCheck = {
  ...base,
  id: 'sponsor/root-froze',
  title: "The freeze of a root ends its sponsorship of a child's child, and keeps it from another",
  needs: ['beats', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    const child = await makeChild(t, parent, { depth: 1 });
    // It starts later than the root, so that it is not frozen with it.
    const late = Math.min(30, fewest(t) - 1);
    await t.sleep({ anchors: late });
    await t.call('init', { key: child.key });
    await sponsor(t, root, child.hash);
    await lapse(t, root, { left: fewest(t) - late });
    await list(t, root);
    await sponsor(t, root, child.hash);
  },
};

const siblings: WrittenCheck = {
  ...base,
  id: 'sponsor/siblings',
  title: "Sponsoring, paying for and leaving one child leaves a parent's sponsorship of another as it is",
  needs: ['beats', 'payments'],
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent, { init: true });
    await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 7, expires_in_hours: 48 });
    await sponsoredHeartbeat(t, child, parent);
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    for (const step of [
      () => sponsor(t, parent, sibling.hash, { max_heartbeats_epoch: 9 }),
      () => sponsoredHeartbeat(t, sibling, parent),
      () => sponsor(t, parent, sibling.hash, { max_heartbeats_epoch: 11, expires_in_hours: 3 }),
      () => end(t, parent, sibling.hash),
    ]) {
      await list(t, parent);
      await step();
    }
    await list(t, parent);
  },
};

export const sponsorTreeChecks: readonly WrittenCheck[] = [family, revokedByOthers, rootFroze, siblings];
