import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import type { Transport } from '../conformance/wire/transport.js';
import { controlCalls } from '../reference/http/control/calls.js';
import { nextSteps } from '../reports/conformance/next-step.js';
import { unjudgedGroups } from '../reports/conformance/unjudged.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { matches } from '../spec/endpoint.js';
import { endpointIds, endpointOf } from '../spec/endpoint-ids.js';
import { lighter, startJudged } from './fixtures/target.js';

const LOOKUPS = ['status', 'verify', 'verify-batch', 'beat-status', 'beat-anchor', 'beat-verify', 'authority-key'];
const IDENTITY = ['sigil', 'metadata', 'heartbeat', 'passport', 'reissue-proof', 'fees-summary'];
const RECEIPTS = ['work-proof', 'beat-key', 'beat-timestamp', 'health'];

/** A call that the server has, and that answers without any effect. */
const STALL = 'anchors/stall';

/** The parts that a server gains step by step, in the order of a reader of the specification, and the next one after each. */
const STEPS: readonly {
  readonly gains: readonly string[];
  readonly calls?: readonly string[];
  readonly given?: readonly (keyof Target)[];
  readonly next: RegExp;
}[] = [
  { gains: [], next: /^build POST \/api\/v1\/register$/ },
  { gains: ['register'], next: /^build POST \/api\/v1\/agent\/init$/ },
  {
    gains: ['init', ...LOOKUPS],
    next: /give `control: \{ url, token \}` of a server whose clock moves only when told/,
  },
  { gains: [], given: ['control'], calls: ['clock/advance'], next: /^build POST \/api\/v1\/agent\/wallet$/ },
  { gains: ['wallet'], next: /^let `payments: \{ kind: control \}` pay by `ledger\/wallets` and `ledger\/transfers` / },
  {
    gains: IDENTITY,
    calls: ['ledger/wallets', 'ledger/transfers'],
    given: ['payments'],
    next: /^give `beats_url`$/,
  },
  { gains: RECEIPTS, given: ['beatsUrl'], next: /^build POST \/api\/v1\/agent\/spawn$/ },
  {
    gains: ['spawn', 'resync', 'beats-submit', 'sponsor', 'flag', 'register-token', 'checkin', 'subsidy'],
    next: /^let the control API have `admin-keys` /,
  },
  { gains: [], calls: ['admin-keys'], next: /^build PUT \/api\/v1\/partner\/webhook$/ },
  { gains: ['partner-webhook'], next: /^let the control API have `partners` / },
  { gains: [], calls: ['partners'], next: /^give `webhooks: \{ listen, public_url \}`$/ },
  { gains: [], given: ['webhooks'], next: /^let the control API have `[a-z/:-]+` / },
  {
    gains: [],
    calls: controlCalls.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
    next: /^fix the control call POST anchors\/stall /,
  },
];

describe('a server that grows', () => {
  it('is told at each step what a reader of the specification would build next, and to give nothing that is given', async () => {
    const there = new Set<string>();
    const calls = new Set<string>();
    const given = new Set<keyof Target>();
    const told: string[] = [];
    for (const { gains, calls: more = [], given: offered = [] } of STEPS) {
      for (const id of endpointIds) if (gains.includes(endpointOf(id).stem)) there.add(id);
      for (const call of more) calls.add(call);
      for (const field of offered) given.add(field);
      const result = await judged(there, calls, given);
      const [first] = nextSteps(result, { command: 'aips conform --target target.yaml' });
      told.push([first?.text, first?.subject].filter((part) => part !== undefined).join(' '));
      const advice = unjudgedGroups(result).flatMap(({ provide = '' }) => provide);
      for (const field of given) expect(advice.filter((text) => text.includes(GIVE[field] ?? 'nothing'))).toEqual([]);
    }
    expect(told).toEqual(STEPS.map(({ next }) => expect.stringMatching(next)));
  });
});

/** Long checks show nothing of what is next that short ones do not, nor does a second judgement of a clause. */
const REQUESTS_MAX = 16;

const GIVE: Readonly<Partial<Record<keyof Target, string>>> = {
  control: '`control: {',
  payments: 'give `payments',
  beatsUrl: 'give `beats_url`',
  webhooks: 'give `webhooks',
};

/** A run against a reference that lets nothing more in. */
async function judged(
  there: ReadonlySet<string>,
  calls: ReadonlySet<string>,
  given: ReadonlySet<keyof Target>,
): Promise<ConformanceResult> {
  const { target, send, close } = await startJudged('webhooks', { beat: lighter.beat });
  const grown: Target = {
    ...target,
    control: given.has('control') ? target.control : undefined,
    payments: given.has('payments') ? target.payments : { kind: 'none' },
    beatsUrl: given.has('beatsUrl') ? target.beatsUrl : null,
    webhooks: given.has('webhooks') ? target.webhooks : undefined,
  };
  const transport = only(send, grown, there, calls);
  const checks = allChecks.filter(({ requests }) => requests <= REQUESTS_MAX);
  const options = { checks, transport, seed: 1, toolVersion: 'test', nowWallMs: Date.now, looks: false, quick: true };
  return conform(grown, options).finally(close);
}

/** The transport of a server that has these endpoints and calls alone. */
function only(send: Transport, target: Target, there: ReadonlySet<string>, calls: ReadonlySet<string>): Transport {
  return async (request) => {
    const url = new URL(request.url);
    const gone = { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"not found"}' };
    if (target.control && request.url.startsWith(target.control.url)) {
      if (url.pathname.endsWith('/capabilities'))
        return { ...gone, status: 200, body: JSON.stringify({ calls: [...calls] }) };
      if (url.pathname.endsWith(STALL)) return { ...gone, status: 200, body: '{"stalled":true}' };
      return [...calls].some((call) => new RegExp(`/${call.replaceAll(/:\w+/g, '[^/]+')}$`).test(url.pathname))
        ? send(request)
        : gone;
    }
    const service = target.beatsUrl !== null && request.url.startsWith(target.beatsUrl) ? 'beats' : 'registry';
    const id = endpointIds.find((each) => {
      const endpoint = endpointOf(each);
      return endpoint.service === service && matches(endpoint, request.method, url.pathname);
    });
    return id !== undefined && there.has(id) ? send(request) : gone;
  };
}
