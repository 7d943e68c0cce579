/** Checks of POST /agent/spawn: its three modes, what a child costs, and what is refused. What passes with time is in spawn-state. */

import { isFilled, isNumber } from '../../model/reading/field-tests.js';
import { keptName } from '../../spec/dialect-settings.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { proofOf } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import {
  costBeats,
  costsOf,
  fundedPreflight,
  makeChild,
  preflight,
  registerChild,
  spawn,
} from '../steps/spawn-call.js';
import { isListedActive } from '../steps/sponsor-call.js';
import { send } from '../steps/verify-batch-call.js';
import { windowOf } from '../steps/waits.js';
import { ownChain, proveWork, type Receipt, receiptOf, spendWork, tampered, workTaken } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import { type Agent, sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 1, writes: true } as const;

/** More generations or siblings than any check makes: a larger number is not computed with. */
const PLACES_MAX = 64;
const isPlace = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= PLACES_MAX;

/** The price of the next child, as a probe returns it. */
interface Price {
  readonly reply: Reply;
  readonly beats: unknown;
  readonly depth: unknown;
  readonly siblings: unknown;
}

/**
 * Asks what the next child costs. The price has to follow by 4.8 from the depth and the siblings that the target tells; that
 * these are the parent's depth and the children registered so far is D-31.
 */
async function price(t: Trial, parent: Agent, depth: number, siblings: number): Promise<Price> {
  const reply = t.refused(
    await spawn(t, parent, { child_name: t.word() }),
    'spawn/RECEIPT_REQUIRED',
    'spawn.probe.reply',
  );
  const reported = {
    reply,
    beats: reply.get('required_beats'),
    depth: reply.get('depth'),
    siblings: reply.get('siblings'),
  };
  for (const field of ['required_beats', 'depth', 'siblings'])
    t.shows('spawn.probe.reply').fieldIs(reply, field, isNumber);
  if (isPlace(reported.depth) && isPlace(reported.siblings)) costIs(t, reply, reported.depth, reported.siblings);
  t.alsoShows('spawn.cost.depth-of').field(reply, 'depth', depth);
  t.alsoShows('spawn.cost.siblings-of').field(reply, 'siblings', siblings);
  const value = checkValues[`${depth}-${siblings}`];
  if (value !== undefined && (reported.depth !== depth || reported.siblings !== siblings)) {
    t.alsoShows(value).notFollowed('D-31', 'another depth or another number of siblings is told');
  }
  return reported;
}

/** The check values of 4.8, by depth and siblings. */
const checkValues: Readonly<Record<string, string>> = Object.fromEntries(
  ['0-0', '0-1', '1-0', '1-1', '2-0', '2-3'].map((place) => [place, `spawn.cost.check.${place}`]),
);

/** 4.8: the price that a reply asks at a depth and a number of siblings. */
function costIs(t: Trial, reply: Reply, depth: number, siblings: number): void {
  const place = `${depth}-${siblings}`;
  const exact = costBeats(t, depth, siblings);
  const value = checkValues[place];
  const isDouble = t.facts.dialect.spawnCost === 'doubles';
  const allowed = value === undefined || isDouble ? costsOf(t, depth, siblings) : [exact];
  const beats = reply.get('required_beats');
  const fits = allowed.some((cost) => cost === beats);
  const expected = `${allowed.join(' or ')} at depth ${depth} with ${siblings} siblings`;
  t.alsoShows('spawn.cost.depth', 'spawn.cost.siblings').of(reply, 'required_beats', fits, expected, beats);
  if (value !== undefined) t.alsoShows(value).field(reply, 'required_beats', exact);
  t.alsoShows('spawn.cost.exact').field(reply, 'required_beats', exact);
  if (place === '0-3') t.alsoShows('spawn.cost.exact.0-3').field(reply, 'required_beats', exact);
}

const flow: Check = {
  ...base,
  id: 'spawn/flow',
  title: 'A parent asks the price, proves the work, registers the child and links it',
  clauses: [
    'spawn.route',
    'spawn.auth',
    'spawn.mode',
    'spawn.body.child-name',
    'spawn.body.beats-receipt',
    'spawn.body.child-hash',
    'spawn.probe.reply',
    'spawn.probe.progress',
    'spawn.preflight.reply',
    'spawn.preflight.reply.eligible',
    'spawn.preflight.reply.spawn-authorization',
    'spawn.preflight.reply.receipt-based',
    'spawn.finalize.reply',
    'spawn.finalize.reply.eligible',
    'spawn.flow.probe',
    'spawn.flow.anchor',
    'spawn.flow.compute',
    'spawn.flow.receipt',
    'spawn.flow.preflight',
    'spawn.flow.register',
    'spawn.flow.finalize',
    'spawn.cost.depth',
    'spawn.cost.siblings',
    'spawn.cost.check.0-0',
    'spawn.cost.check.0-1',
    'spawn.cost.depth-of',
    'spawn.cost.siblings-of',
    'spawn.error.receipt-required',
    'service.spawn',
    'service.beats.spawn',
    'key.parent.spawn',
  ],
  registers: 2,
  requests: 14,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const child_name = t.word();
    const first = await price(t, parent, 0, 0);
    t.shows('spawn.error.receipt-required', 'spawn.flow.probe', 'service.beats.spawn').status(
      first.reply,
      t.row('spawn/RECEIPT_REQUIRED').status,
    );
    t.shows('spawn.error.receipt-required', 'spawn.flow.probe').code(first.reply, t.row('spawn/RECEIPT_REQUIRED').code);
    for (const field of ['required_beats', 'depth', 'siblings']) {
      t.shows('spawn.flow.probe').fieldIs(first.reply, field, isNumber);
    }
    const progress = t.shows('spawn.probe.progress');
    progress.field(first.reply, 'eligible', false);
    progress.field(first.reply, 'progress_pct', 0);
    progress.field(first.reply, 'deficit', first.beats);
    // 3.6, step by step: anchor, work, receipt, preflight, registration, link.
    const beats = typeof first.beats === 'number' ? first.beats : costBeats(t, 0, 0);
    const anchor = await latestAnchor(t);
    const proof = proofOf(await ownChain(t, beats, anchor));
    await workTaken(t, await proveWork(t, proof), 'spawn.flow.compute', 'spawn.flow.receipt');
    let spent: Receipt | undefined;
    const sent = await spendWork(t, beats, 'VALIDATION', (beats_receipt) => {
      spent = beats_receipt;
      return spawn(t, parent, { child_name, beats_receipt });
    });
    const granted = t.accepted(
      sent,
      'spawn.auth',
      'spawn.mode',
      'spawn.body.child-name',
      'spawn.flow.anchor',
      // A receipt that the registry does not accept is invalid.
      'spawn.flow.receipt',
      'key.parent.spawn',
      'service.beats.spawn',
    );
    const sentText = t.shows('spawn.body.beats-receipt');
    if (typeof spent === 'string') sentText.succeeds(granted);
    else sentText.unjudged('receipts are objects in this dialect');
    t.shows('spawn.preflight.reply').field(granted, 'required_beats', first.beats);
    t.shows('spawn.mode', 'spawn.flow.preflight').fieldIs(granted, 'spawn_authorization', isFilled);
    const spawn_authorization = granted.string('spawn_authorization');
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const born = t.accepted(await registerChild(t, parent.key, body), 'spawn.flow.register', 'service.spawn');
    const child_hash = born.string('hash');
    const linked = t.accepted(
      await spawn(t, parent, { child_name, child_hash }),
      'spawn.mode',
      'spawn.body.child-hash',
      'spawn.flow.finalize',
    );
    t.shows('spawn.mode', 'spawn.finalize.reply').field(linked, 'child_hash', child_hash);
    // A child that is linked is a sibling of the next one, however siblings are counted.
    const next = await price(t, parent, 0, 1);
    t.shows('spawn.cost.siblings', 'spawn.probe.reply').field(next.reply, 'siblings', 1);
    t.shows('spawn.cost.check.0-1').field(next.reply, 'required_beats', costBeats(t, 0, 1));
  },
};

/** As setup: registers `count` children of a root, without the lineage link. */
async function bear(t: Trial, parent: Agent, count: number, born = 0): Promise<readonly Agent[]> {
  const children: Agent[] = [];
  for (let siblings = born; siblings < born + count; siblings += 1) {
    children.push(await makeChild(t, parent, { siblings, link: false }));
  }
  return children;
}

/** Every child has its place under its parent, the third like the first. */
async function childrenOf(t: Trial, parent: Agent, children: readonly (Agent | undefined)[]): Promise<void> {
  const hashes = children.flatMap((child) => child?.hash ?? []);
  const reply = t.accepted(await t.call('verify-batch', { body: { hashes } }));
  for (const place of hashes.keys()) {
    const own = t.shows('lineage.place', 'register.child.lineage').through('D-20');
    own.field(reply, `results.${place}.agent.parent`, parent.hash);
    own.field(reply, `results.${place}.agent.depth`, 1);
  }
}

const siblings: Check = {
  ...base,
  id: 'spawn/cost-siblings',
  title: 'The children of a root cost 1,000, 1,200, 1,440 and 1,728 beats',
  clauses: [
    'spawn.probe.reply',
    'spawn.cost.depth',
    'spawn.cost.siblings',
    'spawn.cost.check.0-1',
    'spawn.cost.siblings-of',
    'spawn.cost.exact',
    'spawn.cost.exact.0-3',
    'lineage.place',
    'register.child.lineage',
  ],
  registers: 4,
  requests: 19,
  refusal: true,
  async run(t) {
    // Other checks probe the first price: a parent has five spawn calls an hour.
    const parent = await t.root({ init: true });
    const [first] = await bear(t, parent, 1);
    const one = await price(t, parent, 0, 1);
    const later = await bear(t, parent, 2, 1);
    const three = await price(t, parent, 0, 3);
    // Whether a child counts before it is linked is D-31's: where the first did, so do those after it.
    const counted = t.shows('spawn.cost.siblings');
    if (one.siblings === 1) counted.field(three.reply, 'siblings', 3);
    else counted.notFollowed('D-31', 'a child counts later than at its registration');
    await childrenOf(t, parent, [first, ...later]);
  },
};

const fifth: Check = {
  ...base,
  id: 'spawn/cost-fifth-child',
  title: 'The fifth child of a root costs 2,073 beats',
  clauses: ['spawn.probe.reply', 'spawn.cost.siblings', 'spawn.cost.siblings-of', 'spawn.cost.exact'],
  registers: 5,
  requests: 20,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    await bear(t, parent, 4);
    await price(t, parent, 0, 4);
  },
};

const seventh: Check = {
  ...base,
  id: 'spawn/cost-seventh-child',
  title: 'The seventh child of a root costs 2,985 beats, the eighth 3,583, and six are not priced like five',
  clauses: [
    'spawn.probe.reply',
    'spawn.cost.siblings',
    'spawn.cost.siblings-of',
    'spawn.cost.exact',
    'spawn.error.insufficient-beats',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 7,
  walletRegisters: 2,
  requests: 54,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task') + heartbeatFee(protocol, 1).lamports,
  refusal: true,
  async run(t) {
    const { missedAnchorsMax } = t.protocol.dms;
    const { intervalSec } = t.protocol.anchor;
    // A parent has five spawn calls an hour, and outlives two by a heartbeat between.
    const half = Math.floor(t.protocol.limits.spawn.windowSec / intervalSec / 2) + 1;
    if (half > missedAnchorsMax || t.protocol.limits.spawn.count < 5)
      throw unreachable('who waits for more spawn calls is frozen before there are any');
    const parent = await t.walletRoot({ sigil: 'narrow_task' });
    await bear(t, parent, 5);
    await t.sleep({ anchors: half });
    await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, parent)));
    await t.sleep({ anchors: half });
    await bear(t, parent, 1, 5);
    const { siblings: reported } = await price(t, parent, 0, 6);
    const counted = t.shows('spawn.cost.siblings');
    if (reported !== 6) {
      counted.notFollowed('D-31', 'a child counts later than at its registration');
      return;
    }
    const short = await preflight(t, parent, t.word(), costBeats(t, 0, 5));
    t.refused(short, 'spawn/INSUFFICIENT_BEATS', 'spawn.error.insufficient-beats');
    const name = t.word();
    const paid = t.accepted(await fundedPreflight(t, parent, name, costBeats(t, 0, 6)));
    const body = { name, parent: parent.hash, spawn_authorization: paid.string('spawn_authorization') };
    await t.setup('the seventh child', async () => t.accepted(await registerChild(t, parent.key, body)));
    counted.field((await price(t, parent, 0, 7)).reply, 'siblings', 7);
  },
};

const depth: Check = {
  ...base,
  id: 'spawn/cost-depth',
  title: 'A child costs 1,500 beats at depth 1, then 1,800, and 2,250 at depth 2',
  clauses: [
    'spawn.probe.reply',
    'spawn.cost.depth',
    'spawn.cost.siblings',
    'spawn.cost.check.1-0',
    'spawn.cost.check.1-1',
    'spawn.cost.check.2-0',
    'spawn.cost.depth-of',
    'key.parent.spawn',
  ],
  registers: 3,
  requests: 22,
  refusal: true,
  async run(t) {
    const root = await t.root({ init: true });
    const first = await price(t, root, 0, 0);
    const child = await makeChild(t, root);
    deeper(t, first, await price(t, child, 1, 0));
    const before = await price(t, root, 0, 1);
    const grandchild = await makeChild(t, child, { depth: 1 });
    await price(t, child, 1, 1);
    // A child's child is no sibling of the root's next one.
    const after = await price(t, root, 0, 1);
    t.shows('spawn.cost.siblings').field(after.reply, 'siblings', before.siblings);
    deeper(t, first, await price(t, grandchild, 2, 0), 2);
    t.accepted(await fundedPreflight(t, grandchild, t.word(), costBeats(t, 2, 0)));
  },
};

/** A child is one deeper than its parent, whatever the depth of a root's first child is. */
function deeper(t: Trial, from: Price, { reply, depth: reported }: Price, by = 1): void {
  if (!isPlace(from.depth)) return;
  // The key selects the parent whose next child is priced.
  t.shows('spawn.cost.depth', 'spawn.probe.reply', 'key.parent.spawn').of(
    reply,
    'depth',
    reported === from.depth + by,
    `${from.depth + by}`,
    reported,
  );
}

const deep: Check = {
  ...base,
  id: 'spawn/cost-depth-and-siblings',
  title: 'The fourth child of an agent at depth 2 costs 3,888 beats',
  clauses: [
    'spawn.probe.reply',
    'spawn.cost.check.2-3',
    'spawn.cost.siblings',
    'spawn.cost.depth',
    'spawn.flow.preflight',
  ],
  registers: 6,
  requests: 28,
  refusal: true,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    const parent = await makeChild(t, child, { depth: 1 });
    for (let born = 0; born < 3; born += 1) await makeChild(t, parent, { depth: 2, siblings: born, link: false });
    await price(t, parent, 2, 3);
    t.accepted(await fundedPreflight(t, parent, t.word(), costBeats(t, 2, 3)), 'spawn.flow.preflight');
  },
};

const unlimited: Check = {
  ...base,
  id: 'spawn/depth-unlimited',
  title: 'A child may have children of its own',
  clauses: ['lineage.depth-unlimited'],
  registers: 2,
  requests: 10,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    t.accepted(await fundedPreflight(t, child, t.word(), costBeats(t, 1, 0)), 'lineage.depth-unlimited');
  },
};

/** The generations of the longest lineage that is made: its last parent is at depth 4. */
const GENERATIONS = 6;

const lineageOfSix: Check = {
  ...base,
  id: 'spawn/lineage-of-six',
  title: 'Lineages go on: a parent at depth 4 pays 5,062 beats, and its child is led back to a root that sponsors it',
  clauses: [
    'spawn.probe.reply',
    'spawn.cost.depth',
    'spawn.cost.siblings',
    'spawn.cost.exact',
    'spawn.cost.depth-of',
    'agent.field.depth',
    'lineage.place',
    'register.child.lineage',
    'lineage.depth-unlimited',
    'sponsor.rule.descendant',
    'sponsor.get.reply',
    'verify.purpose',
    'verify.reply.lineage',
    'verify-batch.reply.found',
  ],
  registers: GENERATIONS,
  walletRegisters: 2,
  requests: 52,
  refusal: true,
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const line: Agent[] = [root];
    for (let above = 0; above < GENERATIONS - 1; above += 1) {
      const parent = line[0] as Agent;
      if (above === GENERATIONS - 2) await price(t, parent, above, 0);
      line.unshift(await makeChild(t, parent, { depth: above }));
    }
    const [youngest, last] = line as [Agent, Agent];
    // The cost of a child is floored twice: by its depth, and then by its siblings.
    await price(t, last, GENERATIONS - 2, 1);
    await price(t, youngest, GENERATIONS - 1, 0);
    const descendants = line.slice(0, -1);
    for (const { hash } of descendants) {
      const body = { child_hash: hash };
      t.accepted(await t.call('sponsor.post', { key: root.key, body }), 'sponsor.rule.descendant');
    }
    const given = t.accepted(await t.call('sponsor.get', { key: root.key }));
    const active = descendants.filter(({ hash }) => isListedActive(given, hash)).length;
    const all = given.get('sponsorships');
    t.shows('sponsor.get.reply').of(
      given,
      'active sponsorships',
      active === descendants.length,
      `${descendants.length}`,
      all,
    );
    const verified = t.accepted(await t.call('verify', { params: { hash: youngest.hash } }), 'lineage.depth-unlimited');
    const place = t.shows('lineage.place', 'register.child.lineage', 'verify.purpose').through('D-20');
    place.field(verified, 'agent.parent', line[1]?.hash);
    place.field(verified, 'agent.depth', GENERATIONS - 1);
    leadsToRoot(t, { reply: verified, at: '', line }, 'verify.purpose', 'lineage.place');
    // A batch gives the depth of each of them, too.
    const hashesOfLine = line.map(({ hash }) => hash);
    const batch = t.accepted(await send(t, hashesOfLine));
    for (const place of line.keys())
      leadsToRoot(t, { reply: batch, at: `results.${place}.`, line: line.slice(place) }, 'verify-batch.reply.found');
    const listed = verified.get('lineage');
    const hashes = Array.isArray(listed) ? listed.map((_, n) => verified.get(`lineage.${n}.hash`)) : listed;
    t.shows('verify.reply.lineage').equal('hashes of lineage', hashes, hashesOfLine);
  },
};

/** An agent of a lookup, by the path where it has it, with its ancestors up to the root. */
interface Found {
  readonly reply: Reply;
  readonly at: string;
  readonly line: readonly Agent[];
}

/** Asserts that the lineage names every ancestor, and that the root is the first of them. */
function leadsToRoot(t: Trial, { reply, at, line }: Found, ...clauses: readonly string[]): void {
  const whole = t.shows(...clauses);
  const namedIn = (value: unknown): readonly Agent[] => {
    const text = JSON.stringify(value ?? null).toLowerCase();
    return line.filter(({ hash }) => text.includes(hash.slice(2).toLowerCase()));
  };
  // The contents of a lineage's items are not shown: where they name hashes at all, every ancestor is among them.
  const named = namedIn(reply.get(`${at}lineage`));
  const ancestors = line.slice(1).filter((one) => named.includes(one)).length;
  if (named.length === 0) whole.notFollowed('D-20', 'the lineage names no agent by its hash');
  else whole.of(reply, 'ancestors in the lineage', ancestors === line.length - 1, `${line.length - 1}`, ancestors);
  const reported = reply.get(`${at}root`);
  const first = namedIn(reported);
  if (first.length === 0) whole.notFollowed('D-20', 'root names no agent by its hash');
  else whole.of(reply, 'root', first.length === 1 && first[0] === line.at(-1), 'the first of the line', reported);
}

const insufficient: Check = {
  ...base,
  id: 'spawn/insufficient-beats',
  title: 'A receipt one beat short of the price is refused, one with that beat accepted',
  clauses: ['spawn.error.insufficient-beats', 'spawn.flow.compute', 'spawn.probe.reply', 'spawn.cost.check.0-0'],
  requests: 10,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const name = t.word();
    const { beats: reported } = await price(t, parent, 0, 0);
    const beats = typeof reported === 'number' ? reported : costBeats(t, 0, 0);
    const clauses = ['spawn.error.insufficient-beats', 'spawn.flow.compute'];
    t.refused(await preflight(t, parent, name, beats - 1), 'spawn/INSUFFICIENT_BEATS', ...clauses);
    t.accepted(await preflight(t, parent, name, beats), ...clauses);
  },
};

const registered: Check = {
  ...base,
  id: 'spawn/child-registered',
  title: 'A preflight for a child that is registered already is refused, whether it is linked or not',
  clauses: ['spawn.error.spawn-conflict'],
  registers: 4,
  requests: 30,
  refusal: true,
  async run(t) {
    for (const link of [true, false]) {
      const parent = await t.root({ init: true });
      const { name } = await makeChild(t, parent, { link });
      const reported = (await spawn(t, parent, { child_name: t.word() })).get('required_beats');
      const beats = typeof reported === 'number' ? reported : costBeats(t, 0, 1);
      t.refused(await preflight(t, parent, name, beats), 'spawn/SPAWN_CONFLICT', 'spawn.error.spawn-conflict');
      t.accepted(await preflight(t, parent, t.word(), beats));
    }
  },
};

const notItsOwn: Check = {
  ...base,
  id: 'spawn/finalize-other-parent',
  title: 'Nobody but its parent links a child: no stranger, no grandparent, and not the child',
  clauses: ['spawn.auth', 'key.parent.spawn', 'key.agent.bound'],
  registers: 4,
  requests: 18,
  refusal: true,
  async run(t) {
    const [root, stranger] = [await t.root({ init: true }), await t.root({ init: true })];
    const parent = await makeChild(t, root, { init: true });
    const child = await makeChild(t, parent, { depth: 1, link: false });
    const [child_name, child_hash] = [child.name, child.hash];
    const clauses = ['spawn.auth', 'key.parent.spawn', 'key.agent.bound'];
    for (const other of [stranger, root, child]) {
      t.shows(...clauses).refuses(await spawn(t, other, { child_name, child_hash }));
    }
    t.accepted(await spawn(t, parent, { child_name, child_hash }), 'spawn.auth', 'key.parent.spawn');
  },
};

const usedReceipt: Check = {
  ...base,
  id: 'spawn/receipt-used',
  title: 'A receipt authorizes one child',
  clauses: ['spawn.error.spawn-conflict.receipt', 'receipt.once'],
  requests: 11,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const reported = (await spawn(t, parent, { child_name: t.word() })).get('required_beats');
    let beats_receipt: Receipt | undefined;
    const spend = (receipt: Receipt): Promise<Reply> => {
      beats_receipt = receipt;
      return spawn(t, parent, { child_name: t.word(), beats_receipt });
    };
    const beats = typeof reported === 'number' ? reported : costBeats(t, 0, 0);
    t.accepted(await spendWork(t, beats, 'VALIDATION', spend));
    const again = await spawn(t, parent, { child_name: t.word(), beats_receipt });
    t.refused(again, 'spawn/SPAWN_CONFLICT', 'spawn.error.spawn-conflict.receipt', 'receipt.once');
    t.accepted(await fundedPreflight(t, parent, t.word(), costBeats(t, 0, 0)));
  },
};

const refusedReceipt: Check = {
  ...base,
  id: 'spawn/receipt-refused',
  title: 'A receipt that was too little for one child is good for a cheaper one',
  clauses: ['receipt.once', 'spawn.error.insufficient-beats'],
  registers: 3,
  requests: 15,
  refusal: true,
  async run(t) {
    const [dear, cheap] = [await t.root({ init: true }), await t.root({ init: true })];
    await makeChild(t, dear);
    let beats_receipt: Receipt | undefined;
    const spend = (receipt: Receipt): Promise<Reply> => {
      beats_receipt = receipt;
      return spawn(t, dear, { child_name: t.word(), beats_receipt });
    };
    const short = await spendWork(t, costBeats(t, 0, 0), t.row('spawn/VALIDATION').code, spend);
    t.refused(short, 'spawn/INSUFFICIENT_BEATS', 'spawn.error.insufficient-beats');
    if (short.status >= 400) t.accepted(await spawn(t, cheap, { child_name: t.word(), beats_receipt }), 'receipt.once');
  },
};

const nameAsSent: Check = {
  ...base,
  id: 'spawn/name-as-sent',
  title: 'A name in capitals and combining characters is that of one child in every step',
  clauses: [
    'spawn.flow.preflight',
    'spawn.flow.register',
    'spawn.flow.finalize',
    'spawn.body.child-name',
    'spawn.error.spawn-conflict',
  ],
  registers: 3,
  requests: 18,
  async run(t) {
    const parent = await t.root({ init: true });
    // One of them is composed, and the other is not; without what the dialect takes out of names.
    const name = keptName(t.facts.dialect, `Zoe\u0301 Zo\u00eb ${t.word().toUpperCase()}`);
    const asked = await fundedPreflight(t, parent, name, costBeats(t, 0, 0));
    // Which characters a name may have is open; one that earned an authorization is the child's.
    const granted = asked.status < 300 ? asked.get('spawn_authorization') : undefined;
    const spawn_authorization = t.need(granted, 'an authorization for a name of other characters', 'D-16');
    const body = { name, parent: parent.hash, spawn_authorization };
    const made = t.accepted(await registerChild(t, parent.key, body), 'spawn.flow.register', 'spawn.body.child-name');
    const child_hash = t.need(made.get('hash'), 'the hash of a child', 'D-16');
    t.accepted(await spawn(t, parent, { child_name: name, child_hash }), 'spawn.flow.finalize');
    // That child is registered; one of this name of another parent is not.
    const another = await fundedPreflight(t, await t.root({ init: true }), name, costBeats(t, 0, 0));
    t.accepted(another, 'spawn.error.spawn-conflict', 'spawn.flow.preflight');
  },
};

const forged: Check = {
  ...base,
  id: 'spawn/receipt-forged',
  title: 'A receipt whose beats were raised under the old signature authorizes nothing',
  clauses: ['work-proof.reply.receipt', 'spawn.flow.receipt', 'spawn.error.validation.receipt', 'receipt.signature'],
  requests: 8,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const beats = costBeats(t, 0, 0);
    const beats_receipt = tampered(await receiptOf(t, beats), { beats_verified: 10 * beats });
    const reply = await spawn(t, parent, { child_name: t.word(), beats_receipt });
    // 2.5 and 3.6 call a receipt signed: a changed one is invalid.
    t.shows('work-proof.reply.receipt', 'spawn.flow.receipt').refuses(reply);
    t.refused(reply, 'spawn/VALIDATION', 'spawn.error.validation.receipt', 'receipt.signature');
    t.accepted(await fundedPreflight(t, parent, t.word(), beats));
  },
};

const malformed = (
  [
    ['nothing', 'A spawn call without any field is refused', [], () => ({})],
    [
      'name-type',
      'A spawn call whose child_name is no string is refused',
      ['spawn.body.child-name'],
      () => ({ child_name: 7 }),
    ],
    [
      'receipt-type',
      'A spawn call whose beats_receipt is a number is refused',
      ['spawn.body.beats-receipt'],
      (t) => ({ child_name: t.word(), beats_receipt: 7 }),
    ],
    [
      'hash-type',
      'A spawn call whose child_hash is a number is refused',
      ['spawn.body.child-hash'],
      (t) => ({ child_name: t.word(), child_hash: 7 }),
    ],
    [
      'hash-form',
      'A spawn call whose child_hash is no agent hash is refused',
      ['spawn.body.child-hash'],
      (t) => ({ child_name: t.word(), child_hash: 'none' }),
    ],
  ] as readonly (readonly [word: string, title: string, clauses: readonly string[], body: (t: Trial) => object])[]
).map(
  ([word, title, clauses, body]): Check => ({
    ...base,
    id: `spawn/malformed-${word}`,
    title,
    clauses: ['spawn.error.validation', ...clauses],
    requests: 6,
    refusal: true,
    async run(t) {
      const parent = await t.root({ init: true });
      t.refused(await spawn(t, parent, body(t)), 'spawn/VALIDATION', 'spawn.error.validation', ...clauses);
      t.accepted(await fundedPreflight(t, parent, t.word(), costBeats(t, 0, 0)));
    },
  }),
);

const limit: Check = {
  ...base,
  id: 'spawn/limit',
  title: 'An agent makes 5 spawn calls an hour',
  clauses: ['limit.spawn', 'limit.error.rate-limited', 'limit.window', 'auth.rate-bucket.agent'],
  needs: ['clock'],
  registers: 2,
  requests: 18,
  refusal: true,
  waits: windowOf('spawn'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = ({ key }: Agent) => t.call('spawn', { key, body: { child_name: t.word() }, mayLimit: true });
    await judgeLimit(t, {
      limit: 'spawn',
      clause: 'limit.spawn',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      elsewhere: otherPaths(t, agent.key, 'spawn'),
    });
  },
};

export const spawnChecks: readonly Check[] = [
  flow,
  siblings,
  fifth,
  seventh,
  depth,
  deep,
  unlimited,
  lineageOfSix,
  insufficient,
  registered,
  notItsOwn,
  usedReceipt,
  refusedReceipt,
  nameAsSent,
  forged,
  ...malformed,
  limit,
];
