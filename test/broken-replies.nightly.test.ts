/**
 * Breaks the replies that each check gets, and expects it to notice: a check that no reply can make fail shows nothing. The
 * suite runs as a whole with one broken reply for each check; checks that have not noticed theirs run again with another.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { checksIn } from '../conformance/run/in-dialect.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import { type Check, levelOf, stemOf } from '../conformance/trial/check.js';
import type { Transport, WireReply } from '../conformance/wire/transport.js';
import { WebhookReceiver } from '../conformance/wire/webhook-receiver.js';
import type { CheckResult } from '../results/conformance-result.js';
import { type Deployed, deployed, type Judged, lighter, startJudged } from './fixtures/target.js';

/** How one reply is broken on purpose. */
type Break = (reply: WireReply) => WireReply;

const asJson = (reply: WireReply): Record<string, unknown> | undefined => {
  const value: unknown = JSON.parse(reply.body === '' ? 'null' : reply.body);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
};

const breaks: Readonly<Record<string, Break>> = {
  'accepted instead': (reply) => ({ ...reply, status: 200 }),
  'limited instead': (reply) => ({
    ...reply,
    status: 429,
    headers: { ...reply.headers, 'retry-after': '1' },
    body: '{"error":"no","code":"RATE_LIMITED","retry_after_ms":1000}',
  }),
  'refused instead': (reply) => ({ ...reply, status: 403, body: '{"error":"no","code":"BROKEN"}' }),
  'another code': (reply) => ({ ...reply, body: JSON.stringify({ ...asJson(reply), code: 'BROKEN' }) }),
  'an empty object': (reply) => ({ ...reply, body: '{}' }),
};

/** A fault for one check in one run: its `nth` reply from registry or beats service is changed, or every delivery to it. */
interface Fault {
  readonly nth: number | 'deliveries';
  readonly kind: string;
}

/** A receiver that changes the event in deliveries to checks with that fault. `owners`: the check of each inbox, by its name. */
function breakingReceiver(
  owners: ReadonlyMap<string, string>,
  faults: ReadonlyMap<string, Fault>,
): typeof WebhookReceiver.start {
  return async (listen, publicUrl) => {
    const receiver = await WebhookReceiver.start(listen, publicUrl);
    const { deliver } = receiver;
    receiver.deliver = (path, delivered) => {
      const fault = faults.get(owners.get(path.slice(1)) ?? '');
      if (fault?.nth !== 'deliveries') return deliver.call(receiver, path, delivered);
      const text = JSON.stringify({ ...(JSON.parse(delivered.text) as object), event: 'broken' });
      return deliver.call(receiver, path, { ...delivered, text });
    };
    return receiver;
  };
}

/** How the suite judged a server, and which replies each check got, in the order of its requests. */
interface Round {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly replies: ReadonlyMap<string, readonly WireReply[]>;
}

/** The configuration in which a check is run: the first that it fits. */
function kindOf(check: Check, targets: ReadonlyMap<Deployed, Target>): Deployed {
  for (const [kind, target] of targets) {
    if (check.needs.includes('webhooks') && target.webhooks === undefined) continue;
    if (checksIn([check], target.dialect).length === 0) continue;
    if (check.unsuitableFor?.(target) === undefined) return kind;
  }
  throw new Error(`no server fits ${check.id}`);
}

/** Runs checks on fresh servers, each in its configuration, with the faults of those that have one. */
async function judgeAll(checks: readonly Check[], faults: ReadonlyMap<string, Fault>): Promise<Round> {
  const results = new Map<string, CheckResult>();
  const replies = new Map<string, WireReply[]>();
  const servers = new Map<Deployed, Judged>();
  for (const kind of deployed) servers.set(kind, await startJudged(kind, lighter));
  const targets = new Map([...servers].map(([kind, { target }]) => [kind, target]));
  try {
    // Side by side: some wait for deliveries that do not come while others compute.
    const judging = [...servers].map(async ([kind, { target, send }]) => {
      const only = checks.filter((check) => kindOf(check, targets) === kind).map(({ id }) => id);
      if (only.length === 0) return;
      const sent = new Map<string, number>();
      const inboxes = new Map<string, string>();
      const transport: Transport = async (request) => {
        const { owner = '', body = '' } = request;
        for (const [inbox] of body.matchAll(/aips-[0-9a-f]+/g)) inboxes.set(inbox, owner);
        if (request.url.startsWith(String(target.control?.url))) return send(request);
        const nth = sent.get(owner) ?? 0;
        sent.set(owner, nth + 1);
        const reply = await send(request);
        const mine = replies.get(owner) ?? [];
        mine[nth] = reply;
        replies.set(owner, mine);
        const fault = faults.get(owner);
        return fault?.nth === nth ? (breaks[fault.kind] as Break)(reply) : reply;
      };
      const judgedHere = await conform(target, {
        seed: 1,
        only,
        transport,
        receive: breakingReceiver(inboxes, faults),
        unprobed: true,
        toolVersion: 'test',
        nowWallMs: Date.now,
      });
      for (const result of judgedHere.checks) results.set(result.id, result);
    });
    await Promise.all(judging);
  } finally {
    for (const server of servers.values()) await server.close();
  }
  return { results, replies };
}

/** Whether the check noticed its fault: it does not pass. Which clause it then names is tested by mutants. */
function noticed({ verdict }: CheckResult): boolean {
  return verdict !== 'pass';
}

const refused = ({ status }: WireReply): boolean => status >= 400;
const accepted = ({ status }: WireReply): boolean => status < 400;
const unlimited = ({ status }: WireReply): boolean => status !== 429;

/**
 * A refusal check also sends a twin: the same request without the fault, which has to be accepted. The twin's reply is
 * broken so; of a limit check the twin is a request within the limit, whatever its reply.
 */
function twinOf({ id }: Check): readonly [kinds: Goal['kinds'], suits: (reply: WireReply) => boolean] {
  return /\/(?:.*-)?limit/.test(id) ? [() => ['limited instead'], unlimited] : [() => ['refused instead'], accepted];
}

/** Kinds of an accepted reply, and of a refusal, in the order in which checks notice most. */
const anyKind = (reply: WireReply): readonly string[] =>
  accepted(reply)
    ? ['refused instead', 'an empty object', 'limited instead', 'accepted instead', 'another code']
    : ['accepted instead', 'limited instead', 'refused instead', 'an empty object', 'another code'];

/** One thing that a check has to notice, by any of the faults that are tried for it. */
interface Goal {
  readonly check: Check;
  /** The ways in which a reply is broken, in the order in which they are tried. */
  readonly kinds: (reply: WireReply) => readonly string[];
  /** Which replies may be broken; the last of them is tried first. */
  readonly suits: (reply: WireReply) => boolean;
  readonly seen: (result: CheckResult) => boolean;
}

/** At most this many of a check's first replies, and of its last, are tried, one in each run. */
const REPLIES_MAX = 4;

/** The faults of a goal, in the order in which they are tried. */
function faultsOf({ check, kinds, suits }: Goal, replies: readonly WireReply[]): readonly Fault[] {
  const suitable = replies.flatMap((reply, nth) => (suits(reply) ? [nth] : []));
  const tried = new Set([...suitable.slice(-REPLIES_MAX).toReversed(), ...suitable.slice(0, REPLIES_MAX)]);
  const delivered = check.needs.includes('webhooks') ? [{ nth: 'deliveries', kind: 'another event' } as const] : [];
  return [
    ...delivered,
    ...[...tried].flatMap((nth) => kinds(replies[nth] as WireReply).map((kind) => ({ nth, kind }))),
  ];
}

/**
 * Checks that run without a fault next to those with one, and must not fail because of them: all but those of the sums of the
 * whole service, to which a broken reply about a fee belongs.
 */
const beside = allChecks.filter(({ id }, place) => place % 15 === 0 && !id.startsWith('fees-summary/'));

/** With fewer faults in a run than this, no check runs next to them. */
const MANY = 100;

/** The fault by which each goal was reached; absent: none has reached it. */
const reached = new Map<Goal, string>();
let unbroken: Round;
/** Verdicts other than pass of checks that ran unbroken next to broken ones. */
const disturbed: string[] = [];

/** Tries the faults of all goals, in as many runs as that takes: a check has one fault in a run. */
async function pursue(goals: readonly Goal[]): Promise<void> {
  unbroken = await judgeAll(allChecks, new Map());
  const left = new Map(goals.map((goal) => [goal, [...faultsOf(goal, unbroken.replies.get(goal.check.id) ?? [])]]));
  for (;;) {
    const shown = new Map<string, readonly [Goal, Fault]>();
    for (const [goal, faults] of left) {
      if (reached.has(goal) || shown.has(goal.check.id)) continue;
      const fault = faults.shift();
      if (fault !== undefined) shown.set(goal.check.id, [goal, fault]);
    }
    if (shown.size === 0) return;
    const running = allChecks.filter((check) => shown.has(check.id) || (shown.size > MANY && beside.includes(check)));
    const faults = new Map([...shown].map(([id, [, fault]]) => [id, fault]));
    const { results } = await judgeAll(running, faults);
    for (const [id, result] of results) {
      const [goal, fault] = shown.get(id) ?? [];
      if (goal === undefined || fault === undefined) {
        if (result.verdict !== 'pass') disturbed.push(`${id}: ${JSON.stringify(result)}`);
      } else if (goal.seen(result)) reached.set(goal, `${fault.kind}, reply ${fault.nth}`);
    }
  }
}

const refusals = allChecks.filter((check) => check.clauses.some((id) => id.startsWith(`${stemOf(check)}.error.`)));
/** It judges what refusals say, and sends no twin: other checks of resync show that a receipt is accepted. */
const WITHOUT_TWIN = ['resync/penalty-shown'];
/** One broken reply shows them nothing: they judge a rate over hours, or every reply of the whole run. */
const OF_MANY = /^(limits\/steady-.*|secrets\/kept)$/;
const twinned = refusals.filter(({ id }) => !WITHOUT_TWIN.includes(id));
const failing = allChecks
  .filter((check) => !twinned.includes(check) && !OF_MANY.test(check.id))
  .map((check): Goal => ({ check, kinds: anyKind, suits: () => true, seen: noticed }));
/** Its refusals have the status of a success: they say so in the body, or carry no receipt. */
const REFUSED_IN_BODY = ['work-proof/made-up'];
const refusing4xx = refusals.filter(({ id }) => !REFUSED_IN_BODY.includes(id));
const accepting = refusing4xx.map(
  (check): Goal => ({ check, kinds: () => ['accepted instead'], suits: refused, seen: noticed }),
);
const refusing = twinned.map((check): Goal => {
  const [kinds, suits] = twinOf(check);
  return { check, kinds, suits, seen: noticed };
});

beforeAll(() => pursue([...failing, ...accepting, ...refusing]));

const titled = (goals: readonly Goal[]) => goals.map((goal) => [goal.check.id, goal] as const);

describe('every check passes on replies that are not broken', () => {
  it.each(allChecks.map(({ id }) => [id]))('%s', (id) => {
    expect(unbroken.results.get(id)).toMatchObject({ verdict: 'pass' });
  });
});

describe('every check but those that judge many replies together notices one that is broken on purpose', () => {
  it.each(titled(failing))('%s', (_id, goal) => {
    expect(reached.get(goal)).toBeDefined();
  });
});

describe('every refusal check notices a refusal that is accepted, and a twin without the fault that is refused', () => {
  it.each(titled(accepting))('%s: refusal accepted', (_id, goal) => {
    expect(reached.get(goal)).toBeDefined();
  });

  it.each(titled(refusing))('%s: twin refused', (_id, goal) => {
    expect(reached.get(goal)).toBeDefined();
  });
});

it('checks that are not broken pass beside those that are', () => {
  expect(disturbed).toEqual([]);
});

it('there are at least 80 checks, and at least 40 of them are refusals', () => {
  expect(allChecks.length).toBeGreaterThanOrEqual(80);
  expect(refusals.length).toBeGreaterThanOrEqual(40);
  expect(new Set(allChecks.map(levelOf))).toEqual(new Set(['must', 'decision']));
});
