/** The limits of flags by address, reporter and target, and the circuit breaker of the whole service. */
import type { LimitName } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { complaint } from '../moves/flag.js';
import { type FlagOptions, Flags, flagging } from '../steps/flagging.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['clock', 'client-ip'] } as const;

/** Requests that `judgeLimit` sends over a full bucket: the refused one, two soon after, the early, the late, and another subject's. */
const MORE = 6;

/**
 * Agents enough to send a bucketful of flags: each may send a few an hour, and keeps one to spare, so that no other bucket
 * has a say in when a refused flag may be sent again. They have no SIGIL, which counts alike.
 */
async function reportersFor(t: Trial, count: number): Promise<(n: number) => Agent> {
  needSpareFlag(t);
  needReachableCount(count, REACH.bucket, 'flags fill a bucket');
  const each = t.protocol.limits.flagReporter.count - 1;
  const agents: Agent[] = [];
  for (let made = 0; made < Math.ceil((count + MORE) / each); made += 1) agents.push(await t.root());
  return (n) => agents[Math.floor((n - 1) / each)] as Agent;
}

/** A limit of nothing switches flags off: no other limit of theirs can be seen then. */
function needOpen(t: Trial, ...names: readonly LimitName[]): void {
  const shut = names.find((name) => t.protocol.limits[name].count === 0);
  if (shut !== undefined) throw unreachable(`limits.${shut}.count is 0, so no flag is taken`);
}

/** Retry-After is that of the reporter's own limit, where its flag is the last that this allows. */
function needSpareFlag(t: Trial): void {
  const { count } = t.protocol.limits.flagReporter;
  if (count < 2)
    throw unreachable(`limits.flagReporter.count is ${count}, so that no other limit of flags is met first`);
}

/** A flag against an agent; without one, against a hash that no agent has. */
function send(t: Trial, { key }: Agent, address?: string, target?: Agent): Promise<Reply> {
  const hash = target?.hash ?? `0x${t.hex(t.protocol.agent.hashBytes)}`;
  return t.call('flag', { key, body: complaint({ hash }), mayLimit: true, mayMiss: true, address });
}

const byAddress: WrittenCheck = {
  ...base,
  id: 'flag/limit',
  title: 'An address sends 10 flags a minute',
  waits: windowOf('flag'),
  async run(t) {
    const { count } = t.protocol.limits.flag;
    const reporter = await reportersFor(t, count);
    const elsewhere = t.newAddress();
    await judgeLimit(t, {
      limit: 'flag',
      clause: 'limit.flag.ip',
      bucket: 'limit.flag.ip',
      send: (n) => send(t, reporter(n)),
      other: () => send(t, reporter(count + MORE), elsewhere),
    });
  },
};

/**
 * Needs of the limits of reporter and target: that a refused flag counts is a decision's, so these are flags that are
 * taken.
 */
const taken = {
  ...base,
  needs: ['clock', 'client-ip', 'payments', 'control'],
  controls: ['flags/:id/review'],
} as const;

/** Files a flag that lacks nothing, and has it dismissed: the same reporter may flag the same target again. */
async function fileAndDismiss(t: Trial, reporter: Agent, target: Agent): Promise<Reply> {
  const flags = new Flags(t);
  const reply = await flags.file(reporter, complaint(target), fromNewAddress(t));
  await flags.dismissAll();
  return reply;
}

const byReporter: WrittenCheck = {
  ...taken,
  id: 'flag/limit-reporter',
  title: 'A reporter sends 3 flags an hour',
  waits: windowOf('flagReporter'),
  async run(t) {
    needOpen(t, 'flag', 'flagTarget');
    const [one, other] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    const { flagReporter, flagTarget } = t.protocol.limits;
    // As many as no target is flagged too often, the one of the other reporter included.
    const targets = [await t.root(), await t.root()];
    while (targets.length * flagTarget.count < flagReporter.count + MORE + 1) targets.push(await t.root());
    const elsewhere = targets.length === 2 ? (targets[1] as Agent) : await t.root();
    // One after the other: a flag against the same target is a duplicate until the one before is dismissed.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = (reporter: Agent, target: Agent): Promise<Reply> => {
      const reply = last.then(() => fileAndDismiss(t, reporter, target));
      last = reply.catch(() => undefined);
      return reply;
    };
    await judgeLimit(t, {
      limit: 'flagReporter',
      clause: 'limit.flag.reporter',
      // The target makes no difference.
      send: (n) => inTurn(one, targets[n % targets.length] as Agent),
      other: () => inTurn(other, elsewhere),
    });
  },
};

const byTarget: WrittenCheck = {
  ...taken,
  id: 'flag/limit-target',
  title: 'A target is flagged 10 times an hour',
  waits: windowOf('flagTarget'),
  async run(t) {
    needOpen(t, 'flag');
    needSpareFlag(t);
    const { count } = t.protocol.limits.flagTarget;
    const each = t.protocol.limits.flagReporter.count - 1;
    const reporters: Agent[] = [];
    while (reporters.length * each < count + MORE) reporters.push(await t.walletRoot({ sigil: 'narrow_task' }));
    const [target, another] = [await t.root(), await t.root()];
    // Each reporter files one flag at a time, and all together no more than may be pending.
    const turns = Array.from({
      length: Math.max(1, Math.min(reporters.length, t.protocol.flag.breakerPendingMax)),
    }).map((): Promise<unknown> => Promise.resolve());
    const send = (n: number, against: Agent): Promise<Reply> => {
      const at = (n - 1) % reporters.length;
      const [reporter, turn] = [reporters[at] as Agent, at % turns.length];
      const reply = (turns[turn] as Promise<unknown>).then(() => fileAndDismiss(t, reporter, against));
      turns[turn] = reply.catch(() => undefined);
      return reply;
    };
    await judgeLimit(t, {
      limit: 'flagTarget',
      clause: 'limit.flag.target',
      send: (n) => send(n, target),
      other: () => send(count + MORE, another),
    });
  },
};

/** Each of them takes an agent with a SIGIL, or a third of one. */
const PENDING_MAX = 300;

/** Fills the breaker from addresses of their own: as many pending flags as it allows, and one more. */
async function fill(t: Trial, flags: Flags): Promise<Reply> {
  const { breakerPendingMax } = t.protocol.flag;
  needReachableCount(breakerPendingMax, PENDING_MAX, 'pending flags close the breaker');
  needOpen(t, 'flag', 'flagReporter', 'flagTarget');
  const { flagReporter, flagTarget } = t.protocol.limits;
  // As many targets as a reporter files flags, until each has been flagged as often as it can be.
  const each = Math.min(flagReporter.count, breakerPendingMax + 1);
  let targets: Agent[] = [];
  let reporter: WalletAgent | undefined;
  let last: Reply | undefined;
  for (let n = 0; n <= breakerPendingMax; n += 1) {
    if (n % (each * flagTarget.count) === 0) targets = [];
    if (targets.length < each) targets.push(await t.root());
    if (reporter === undefined || n % each === 0) reporter = await t.walletRoot({ sigil: 'narrow_task' });
    last = await flags.file(reporter, complaint(targets[n % each] as Agent), fromNewAddress(t));
    // At most this many are pending before it.
    t.accepted(last, 'limit.flag.breaker');
  }
  return last as Reply;
}

/** From another address each time, so that no limit by address interferes. */
const fromNewAddress = (t: Trial): FlagOptions => ({ mayLimit: true, address: t.newAddress() });

/** The breaker is in the way. That it answers as a rate limit does is D-34's. */
function blocked(t: Trial, reply: Reply): void {
  t.refused(reply, 'any/RATE_LIMITED', 'limit.flag.breaker.code');
  t.shows('limit.flag.breaker').refuses(reply);
}

/** Flags against the last target of the check of the breaker. */
const FLAGS_OF_TARGET = 5;

const breaker: WrittenCheck = {
  ...base,
  id: 'flag/breaker',
  title: 'While more than 20 flags of the last 24 hours are pending, another is refused',
  paysOnTime: true,
  needs: ['payments', 'control', 'clock', 'client-ip'],
  controls: ['flags/:id/review'],
  exclusive: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { breakerWindowSec } = t.protocol.flag;
      // Flags of others are a day old then.
      await t.sleep({ sec: breakerWindowSec + 1 });
      const last = await fill(t, flags);
      const newReporter = (): Promise<WalletAgent> => t.walletRoot({ sigil: 'narrow_task' });
      const { flagReporter, flagTarget } = t.protocol.limits;
      // A reporter who can file but one flag in its window cannot come back in it, nor can a target be flagged again.
      const another = async (before: WalletAgent): Promise<WalletAgent> =>
        flagReporter.count > 1 ? before : newReporter();
      const [reporter, target] = [await newReporter(), await t.root()];
      const aim = async (): Promise<Agent> => (flagTarget.count > FLAGS_OF_TARGET ? target : t.root());
      blocked(t, await flags.file(reporter, complaint(target), fromNewAddress(t)));
      await flags.review(last, 'dismiss');
      const taken = await flags.file(await another(reporter), complaint(await aim()), fromNewAddress(t));
      t.accepted(taken, 'limit.flag.breaker');
      // 3.5: a flag that is sustained is pending no more.
      await flags.review(taken, 'sustain');
      const next = await newReporter();
      t.accepted(await flags.file(next, complaint(await aim()), fromNewAddress(t)), 'limit.flag.breaker');
      await flags.review(taken, 'resolve');
      await t.sleep({ ms: breakerWindowSec * 1_000 - 1 });
      const fresh = await newReporter();
      blocked(t, await flags.file(fresh, complaint(await aim()), fromNewAddress(t)));
      // Whether the 24 hours hold their last moment is nowhere said.
      await t.sleep({ ms: 2 });
      t.accepted(
        await flags.file(await another(fresh), complaint(await aim()), fromNewAddress(t)),
        'limit.flag.breaker',
      );
    }),
};

export const flagLimitChecks: readonly WrittenCheck[] = [byAddress, byReporter, byTarget, breaker];
