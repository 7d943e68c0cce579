/** The limits of flags by address, reporter and target, and the circuit breaker of the whole service. */
import type { LimitName } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { complaint, flag } from '../moves/flag.js';
import { type FlagOptions, Flags, flagging } from '../steps/flagging.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['clock', 'client-ip'] } as const;

/**
 * Requests that `judgeLimit` sends to a full bucket: the refused one, two soon after, one just before Retry-After, one after it, and one of another
 * subject.
 */
const MORE = 6;

/**
 * Enough agents to fill a bucket with flags. Each may send a few an hour and keeps one to spare, so that Retry-After is that of the bucket under
 * test. They have no SIGIL; their refused flags count all the same.
 */
async function reportersFor(t: Trial, count: number): Promise<(n: number) => Agent> {
  needSpareFlag(t);
  needReachableCount(count, REACH.bucket, 'flags fill a bucket');
  const each = t.protocol.limits.flagReporter.count - 1;
  const agents: Agent[] = [];
  for (let made = 0; made < Math.ceil((count + MORE) / each); made += 1) agents.push(await t.root());
  return (n) => agents[Math.floor((n - 1) / each)] as Agent;
}

/** Requires that these limits are not 0: a limit of 0 disables flags, and hides every other limit of flags. */
function needOpen(t: Trial, ...names: readonly LimitName[]): void {
  const shut = names.find((name) => t.protocol.limits[name].count === 0);
  if (shut !== undefined) throw unreachable(`limits.${shut}.count is 0, so every flag is refused`);
}

/** Requires that a reporter can send two flags. Otherwise the Retry-After of its first refused flag is that of its own limit. */
function needSpareFlag(t: Trial): void {
  const { count } = t.protocol.limits.flagReporter;
  if (count < 2)
    throw unreachable(`limits.flagReporter.count is ${count}, so a reporter meets its own limit before any other`);
}

/** A flag against an agent; without one, against a hash that no agent has. */
function send(t: Trial, { key }: Agent, address?: string, target?: Agent): Promise<Reply> {
  const hash = target?.hash ?? `0x${t.hex(t.protocol.agent.hashBytes)}`;
  return t.send(flag({ key }, complaint({ hash })), { mayLimit: true, mayMiss: true, address });
}

const byAddress: WrittenCheck = {
  ...base,
  id: 'flag/limit',
  title: 'The 11th flag from an address in a minute is refused',
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

/** Needs of the checks of the limits by reporter and target. They send accepted flags, since only a decision says that refused ones count. */
const withAccepted = {
  ...base,
  needs: ['clock', 'client-ip', 'payments', 'control'],
  controls: ['flags/:id/review'],
} as const;

/** Files a valid flag and dismisses it. The same reporter may then flag the same target again. */
async function fileAndDismiss(t: Trial, reporter: Agent, target: Agent): Promise<Reply> {
  const flags = new Flags(t);
  const reply = await flags.file(reporter, complaint(target), fromNewAddress(t));
  await flags.dismissAll();
  return reply;
}

const byReporter: WrittenCheck = {
  ...withAccepted,
  id: 'flag/limit-reporter',
  title: 'The fourth flag of a reporter in an hour is refused',
  waits: windowOf('flagReporter'),
  async run(t) {
    needOpen(t, 'flag', 'flagTarget');
    const [one, other] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    const { flagReporter, flagTarget } = t.protocol.limits;
    // Enough targets that none reaches its own limit, even with the flag of the other reporter.
    const targets = [await t.root(), await t.root()];
    while (targets.length * flagTarget.count < flagReporter.count + MORE + 1) targets.push(await t.root());
    const elsewhere = targets.length === 2 ? (targets[1] as Agent) : await t.root();
    // Sends the flags one after the other, since a second flag against the same target is refused until the first is dismissed.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = (reporter: Agent, target: Agent): Promise<Reply> => {
      const reply = last.then(() => fileAndDismiss(t, reporter, target));
      last = reply.catch(() => undefined);
      return reply;
    };
    await judgeLimit(t, {
      limit: 'flagReporter',
      clause: 'limit.flag.reporter',
      // The bucket is full for every target.
      send: (n) => inTurn(one, targets[n % targets.length] as Agent),
      other: () => inTurn(other, elsewhere),
    });
  },
};

const byTarget: WrittenCheck = {
  ...withAccepted,
  id: 'flag/limit-target',
  title: 'The 11th flag against a target in an hour is refused',
  waits: windowOf('flagTarget'),
  async run(t) {
    needOpen(t, 'flag');
    needSpareFlag(t);
    const { count } = t.protocol.limits.flagTarget;
    const each = t.protocol.limits.flagReporter.count - 1;
    const reporters: Agent[] = [];
    while (reporters.length * each < count + MORE) reporters.push(await t.walletRoot({ sigil: 'narrow_task' }));
    const [target, another] = [await t.root(), await t.root()];
    // Each reporter files one flag at a time, and all reporters together file at most as many as may be pending.
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

/** The most pending flags that a check files. Every three of them need another agent with a SIGIL. */
const PENDING_MAX = 300;

/** Files as many pending flags as the breaker allows, and one more, each from a new address. */
async function fill(t: Trial, flags: Flags): Promise<Reply> {
  const { breakerPendingMax } = t.protocol.flag;
  needReachableCount(breakerPendingMax, PENDING_MAX, 'pending flags close the breaker');
  needOpen(t, 'flag', 'flagReporter', 'flagTarget');
  const { flagReporter, flagTarget } = t.protocol.limits;
  // Each reporter flags this many targets; new targets follow once these have reached their limit.
  const each = Math.min(flagReporter.count, breakerPendingMax + 1);
  let targets: Agent[] = [];
  let reporter: WalletAgent | undefined;
  let last: Reply | undefined;
  for (let n = 0; n <= breakerPendingMax; n += 1) {
    if (n % (each * flagTarget.count) === 0) targets = [];
    if (targets.length < each) targets.push(await t.root());
    if (reporter === undefined || n % each === 0) reporter = await t.walletRoot({ sigil: 'narrow_task' });
    last = await flags.file(reporter, complaint(targets[n % each] as Agent), fromNewAddress(t));
    // At most `breakerPendingMax` flags are pending before this one.
    t.accepted(last, 'limit.flag.breaker');
  }
  return last as Reply;
}

/** Sends each flag from a new address, since a limit by address would interfere. */
const fromNewAddress = (t: Trial): FlagOptions => ({ mayLimit: true, address: t.newAddress() });

/** Asserts that the breaker refuses a flag. D-34 says that it replies like a rate limit. */
function blocked(t: Trial, reply: Reply): void {
  t.refused(reply, 'any/RATE_LIMITED', 'limit.flag.breaker.code');
  t.refused(reply, '4xx', 'limit.flag.breaker');
}

/** Flags against the last target of the check of the breaker. */
const FLAGS_OF_TARGET = 5;

const breaker: WrittenCheck = {
  ...base,
  id: 'flag/breaker',
  title: 'A flag is refused while more than 20 flags of the last 24 hours are pending',
  paysOnTime: true,
  needs: ['payments', 'control', 'clock', 'client-ip'],
  controls: ['flags/:id/review'],
  exclusive: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { breakerWindowSec } = t.protocol.flag;
      // By then the flags of other checks are a day old.
      await t.sleep({ sec: breakerWindowSec + 1 });
      const last = await fill(t, flags);
      const newReporter = (): Promise<WalletAgent> => t.walletRoot({ sigil: 'narrow_task' });
      const { flagReporter, flagTarget } = t.protocol.limits;
      // A reporter that may file only one flag in its window needs a substitute, and so does a target that may be flagged only once.
      const another = async (before: WalletAgent): Promise<WalletAgent> =>
        flagReporter.count > 1 ? before : newReporter();
      const [reporter, target] = [await newReporter(), await t.root()];
      const aim = async (): Promise<Agent> => (flagTarget.count > FLAGS_OF_TARGET ? target : t.root());
      blocked(t, await flags.file(reporter, complaint(target), fromNewAddress(t)));
      await flags.review(last, 'dismiss');
      const accepted = await flags.file(await another(reporter), complaint(await aim()), fromNewAddress(t));
      t.accepted(accepted, 'limit.flag.breaker');
      // 3.5: a sustained flag is no longer pending.
      await flags.review(accepted, 'sustain');
      const next = await newReporter();
      t.accepted(await flags.file(next, complaint(await aim()), fromNewAddress(t)), 'limit.flag.breaker');
      await flags.review(accepted, 'resolve');
      await t.sleep({ ms: breakerWindowSec * 1_000 - 1 });
      const fresh = await newReporter();
      blocked(t, await flags.file(fresh, complaint(await aim()), fromNewAddress(t)));
      // The specification does not say whether the 24 hours include their last moment.
      await t.sleep({ ms: 2 });
      t.accepted(
        await flags.file(await another(fresh), complaint(await aim()), fromNewAddress(t)),
        'limit.flag.breaker',
      );
    }),
};

export const flagLimitChecks: readonly WrittenCheck[] = [byAddress, byReporter, byTarget, breaker];
