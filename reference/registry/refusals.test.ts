// Facts about refusals that no client can judge: of several faults the first row of spec/errors is reported (D-26), and a refused call changes
// nothing. Each rule begins with all faults at once, which are removed one by one. Faults of the request itself are in
// reference/http/unseen/errors-order.test.ts.
import { describe, expect, it } from 'vitest';
import { errors } from '../../spec/errors.js';
import {
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  putAgent,
  receipt,
  testAgent,
  testChild,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { computeChain } from '../beats/beat.js';
import { signingKey } from '../beats/signing.js';
import { latestHash } from './beat-status.js';
import { beatsSubmit } from './beats-submit.js';
import { fingerprint } from './fingerprint.js';
import { flag } from './flag.js';
import { heartbeat } from './heartbeat.js';
import { setMetadata } from './metadata.js';
import type { NamedPayment, Payment } from './payment.js';
import { registerChild } from './register-child.js';
import { registerChallenge, registerWithWallet } from './register-wallet.js';
import { reissueProof } from './reissue-proof.js';
import { resync } from './resync.js';
import { type SigilInput, sigil } from './sigil.js';
import { spawn } from './spawn.js';
import { sponsor, unsponsor } from './sponsor.js';
import { ACTIVE, FROZEN, hashOf, REGISTERED, type Registry } from './state.js';
import { endSubsidy, grantSubsidy } from './subsidy.js';
import { finalizeWallet, walletChallenge } from './wallet.js';

type Outcome = Parameters<typeof codeOf>[0];
/** Prepares a call, and after each further step removes one more fault. */
type Attempts = (registry: Registry) => Generator<() => Outcome>;

const ANCHOR = 'aa'.repeat(32);
const wrong: Payment = { id: 'tx', sender: -1, lamports: 1, counts: false };
const key = signingKey(new Uint8Array(32).fill(3));
const bare = (registry: Registry): number => testAgent(registry, { wallet: false, sigil: null, init: false });

/** Payments with every fault of their own; each is refused for the first that is left. */
const payments = (good: Payment): readonly NamedPayment[] => [
  'unknown',
  wrong,
  { ...wrong, counts: true },
  { ...good, lamports: good.lamports - 1 },
  { ...good, lamports: good.lamports + 1 },
  { ...good, sender: -1 },
  { ...good, id: 'unused', sender: -1 },
  { ...good, id: 'unused' },
];

function* heartbeats(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const wallet = registry.agents.line.wallet(agent);
  const send = (payment: NamedPayment) => () => heartbeat(registry, { agent, payment }, nowMsOf(registry));
  const faults = { complaints: 1, identityClass: 0, wallet: -1, lastHeartbeatBeat: 0, epochHeartbeats: 1_000 };
  putAgent(registry, agent, { status: REGISTERED, ...faults });
  registry.usedPayments.add('tx');
  yield send('missing');
  for (const fixed of [{ status: FROZEN }, { status: ACTIVE }, { complaints: 0 }, { identityClass: 1 }, { wallet }]) {
    putAgent(registry, agent, fixed);
    yield send('missing');
  }
  yield send('unknown');
  for (const fixed of [{ lastHeartbeatBeat: -1 }, { epochHeartbeats: 0 }]) {
    putAgent(registry, agent, fixed);
    yield send('unknown');
  }
  for (const payment of payments(paymentOf(registry, agent, 500_000, 'tx'))) yield send(payment);
}

function* sigils(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry, { sigil: null });
  const wallet = registry.agents.line.wallet(agent);
  const input = { agent, identityClass: 'narrow_task', principal: 'acme', tier: 'org' } as const;
  const buy = (over: Pick<SigilInput, 'payment' | 'name'>) => () =>
    sigil(registry, { ...input, ...over }, nowMsOf(registry));
  registry.sigilNames.add('n*acme');
  registry.usedPayments.add('tx');
  putAgent(registry, agent, { identityClass: 1, wallet: -1 });
  yield buy({ name: 'n', payment: 'missing' });
  for (const fixed of [{ identityClass: 0 }, { wallet }]) {
    putAgent(registry, agent, fixed);
    yield buy({ name: 'n', payment: 'missing' });
  }
  yield buy({ name: 'n', payment: 'unknown' });
  for (const payment of payments(paymentOf(registry, agent, 50_000_000, 'tx'))) yield buy({ payment });
}

function* reissues(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const wallet = registry.agents.line.wallet(agent);
  const reissue = (payment: NamedPayment) => () => reissueProof(registry, { agent, payment }, nowMsOf(registry));
  registry.usedPayments.add('tx');
  putAgent(registry, agent, { identityClass: 0, wallet: -1 });
  yield reissue('missing');
  for (const fixed of [{ identityClass: 1 }, { wallet }]) {
    putAgent(registry, agent, fixed);
    yield reissue('missing');
  }
  for (const payment of payments(paymentOf(registry, agent, 200_000, 'tx'))) yield reissue(payment);
}

function* resyncs(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const send = (proof?: unknown) => () => resync(registry, { agent, receipt: proof }, nowMsOf(registry));
  yield send();
  yield send('bad');
  passAnchors(registry, 61);
  yield send();
  const anchorIndex = registry.anchorIndex;
  const bad = ['bad', null, {}, { ...receipt({ beats: 1, anchorIndex }), beats_verified: 6_100 }];
  for (const proof of [...bad, receipt({ beats: 6_099, anchorIndex })]) yield send(proof);
  yield send(receipt({ beats: 6_100, anchorIndex }));
}

function* spawns(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  testChild(registry, agent, { name: 'kid' });
  const send = (childName: string, beats?: number) => () =>
    spawn(registry, { agent, childName, receipt: beats && receipt({ beats }) }, nowMsOf(registry));
  putAgent(registry, agent, { status: FROZEN });
  yield send('kid', 1_199);
  putAgent(registry, agent, { status: ACTIVE });
  yield send('kid', 1_199);
  yield send('two', 1_199);
  yield send('two');
  yield send('two', 1_200);
}

function* children(registry: Registry): ReturnType<Attempts> {
  const [agent, stranger] = [testAgent(registry), testAgent(registry)];
  registry.agents.columns.availableBeats[agent] = 1_000;
  const given = spawn(registry, { agent, childName: 'kid' }, nowMsOf(registry));
  const authorization = given.ok && given.kind === 'authorized' ? given.authorization : '';
  const send = (parent: number | undefined, name: string, with_: string) => () =>
    registerChild(registry, { agent, parent, name, authorization: with_ }, nowMsOf(registry));
  yield send(stranger, 'other', 'x');
  yield send(-1, 'other', 'x');
  yield send(agent, 'other', 'x');
  yield send(undefined, 'other', authorization);
  yield send(undefined, ' kid ', authorization);
}

function* wallets(registry: Registry): ReturnType<Attempts> {
  const agent = bare(registry);
  const made = walletChallenge(registry, { agent }, nowMsOf(registry));
  const nonce = made.ok ? made.nonce : '';
  const signature = key.signHex(`service-link-wallet:${nonce}:${key.publicKeyHex}:${hashOf(registry, agent)}`);
  const send = (once: string, signed: string) => () =>
    finalizeWallet(
      registry,
      { agent, form: 'link-wallet', address: key.publicKeyHex, nonce: once, signature: signed },
      nowMsOf(registry),
    );
  putAgent(registry, agent, { wallet: 0 });
  yield send('x', 'zz');
  putAgent(registry, agent, { wallet: -1 });
  yield send('x', 'zz');
  for (const signed of ['zz', '', signature.slice(2), `00${signature.slice(2)}`]) yield send(nonce, signed);
  yield send(nonce, signature);
}

function* ownWallets(registry: Registry): ReturnType<Attempts> {
  const made = registerChallenge(registry, 'register', nowMsOf(registry));
  const nonce = made.ok ? made.nonce : '';
  const signature = key.signHex(`service-register:${nonce}:${key.publicKeyHex}:x`);
  const send = (once: string, signed: string) => () =>
    registerWithWallet(
      registry,
      'register',
      { name: 'x', nonce: once, address: key.publicKeyHex, signature: signed },
      nowMsOf(registry),
    );
  yield send('x', 'zz');
  for (const signed of ['zz', '', signature.slice(2)]) yield send(nonce, signed);
  yield send(nonce, signature);
}

function* sponsorships(registry: Registry): ReturnType<Attempts> {
  const [agent, stranger] = [testAgent(registry), testAgent(registry)];
  const [child, unlinked] = [testChild(registry, agent), testChild(registry, agent, { link: false })];
  const wallet = registry.agents.line.wallet(agent);
  const send = (of: number) => () => sponsor(registry, { agent, child: of }, nowMsOf(registry));
  putAgent(registry, agent, { status: FROZEN, wallet: -1 });
  yield send(-1);
  yield send(agent);
  putAgent(registry, agent, { status: ACTIVE });
  for (const of of [agent, stranger, unlinked, child]) yield send(of);
  // D-51: an Ethereum wallet cannot pay.
  putAgent(registry, agent, { wallet, walletChain: 1 });
  yield send(child);
  putAgent(registry, agent, { walletChain: 0 });
  yield send(child);
}

function* revocations(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const child = testChild(registry, agent);
  const send = (of: number) => () => unsponsor(registry, { agent, child: of }, nowMsOf(registry));
  yield send(-1);
  yield send(child);
  sponsor(registry, { agent, child }, nowMsOf(registry));
  yield send(child);
}

function* complaints(registry: Registry): ReturnType<Attempts> {
  const [agent, target, other] = [testAgent(registry), testAgent(registry), testAgent(registry)];
  const file = (by: number, about: number) => () =>
    flag(registry, { agent: by, target: about, assertedClass: 'autonomous', reason: 'why' }, nowMsOf(registry));
  const reporter = bare(registry);
  yield file(reporter, reporter);
  file(agent, target)();
  for (const about of [agent, -1, target, other]) yield file(agent, about);
}

function* submissions(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const run = { fromHash: latestHash(registry, agent), fromIndex: 0, beats: 3, difficulty: 1, anchorHash: ANCHOR };
  const { toIndex, toHash, spotChecks } = computeChain({ ...run, keep: { every: 1 } });
  const ends = { from_beat: 0, to_beat: toIndex, from_hash: run.fromHash, to_hash: toHash, beats_computed: 3 };
  const good = { ...ends, global_anchor: 0, anchor_hash: ANCHOR, spot_checks: spotChecks };
  const send = (proof: typeof good) => () => beatsSubmit(registry, { agent, proof, anchorHash: ANCHOR });
  putAgent(registry, agent, { status: REGISTERED });
  const bad = { ...good, from_hash: 'bb'.repeat(32), to_hash: 'bb'.repeat(32) };
  for (const status of [REGISTERED, FROZEN, ACTIVE]) {
    putAgent(registry, agent, { status });
    yield send(bad);
  }
  yield send({ ...bad, from_hash: good.from_hash });
  yield send(good);
}

function* changes(registry: Registry): ReturnType<Attempts> {
  for (const agent of [bare(registry), testAgent(registry)]) {
    yield () => setMetadata(registry, { agent, fields: { substrate: 'open' } });
  }
}

function* subsidies(registry: Registry): ReturnType<Attempts> {
  const agent = testAgent(registry);
  const grant = (to: number, reason: string) => () => {
    const terms = { feeType: 'sigil', discountBps: 1, validUntilMs: null } as const;
    return grantSubsidy(registry, { agent: to, reason, ...terms }, nowMsOf(registry));
  };
  const end = (of: number) => () => endSubsidy(registry, { agent: of, feeType: 'sigil' }, nowMsOf(registry));
  yield grant(-1, ' ');
  yield grant(-1, 'r');
  yield end(-1);
  yield end(agent);
  yield grant(agent, 'r');
  yield end(agent);
}

/** The rows of each rule in the order of section 7 and D-26. */
const rules: readonly (readonly [endpoint: string, codes: string, Attempts])[] = [
  [
    'heartbeat',
    'AGENT_NOT_INITIALIZED AGENT_FROZEN HEARTBEAT_REFUSED SIGIL_REQUIRED WALLET_REQUIRED PAYMENT_REQUIRED HEARTBEAT_TOO_SOON VOLUME_CAP_REACHED PAYMENT_INVALID PAYMENT_ALREADY_USED PAYMENT_SENDER_MISMATCH',
    heartbeats,
  ],
  [
    'sigil',
    'SIGIL_ALREADY_EXISTS WALLET_REQUIRED PAYMENT_REQUIRED SIGIL_NAME_TAKEN PAYMENT_INVALID PAYMENT_ALREADY_USED PAYMENT_SENDER_MISMATCH',
    sigils,
  ],
  [
    'reissue-proof',
    'SIGIL_REQUIRED WALLET_REQUIRED PAYMENT_REQUIRED PAYMENT_INVALID PAYMENT_ALREADY_USED PAYMENT_SENDER_MISMATCH',
    reissues,
  ],
  ['resync', 'AGENT_WRONG_STATE RECEIPT_REQUIRED INVALID_RECEIPT', resyncs],
  ['spawn', 'AGENT_FROZEN SPAWN_CONFLICT INSUFFICIENT_BEATS RECEIPT_REQUIRED', spawns],
  ['register', 'VALIDATION AGENT_NOT_FOUND SPAWN_CONFLICT', children],
  ['register', 'NONCE_INVALID SIGNATURE_INVALID', ownWallets],
  ['wallet', 'WALLET_ALREADY_LINKED NONCE_INVALID SIGNATURE_INVALID', wallets],
  [
    'sponsor',
    'AGENT_NOT_FOUND SPONSOR_PARENT_FROZEN SPONSOR_INVALID SPONSOR_NOT_ANCESTOR WALLET_REQUIRED',
    sponsorships,
  ],
  ['sponsor', 'AGENT_NOT_FOUND SPONSOR_NOT_FOUND', revocations],
  ['flag', 'FLAG_REPORTER_INELIGIBLE FLAG_SELF FLAG_TARGET_NOT_FOUND FLAG_DUPLICATE', complaints],
  ['beats-submit', 'AGENT_NOT_INITIALIZED AGENT_FROZEN CHAIN_MISMATCH PROOF_INVALID', submissions],
  ['metadata', 'SIGIL_REQUIRED', changes],
  ['subsidy', 'SUBSIDY_INVALID AGENT_NOT_FOUND SUBSIDY_NOT_FOUND', subsidies],
];

describe('[error.order] with all faults at once, fixed one by one, the refusals', () => {
  it.each(rules)('of %s come in the order of spec/errors and change nothing: %s', (endpoint, codes, attempts) => {
    const registry = testRegistry({ overlay: { beat: { difficulty: 1 } } });
    const seen = new Set<string>();
    for (const attempt of attempts(registry)) {
      const before = fingerprint(registry);
      const outcome = attempt();
      seen.add(codeOf(outcome));
      if (!outcome.ok) expect([codeOf(outcome), fingerprint(registry)]).toEqual([codeOf(outcome), before]);
    }
    const rows = codes.split(' ').map((code) => `${endpoint}/${code}`);
    expect([...seen]).toEqual([...rows, 'accepted']);
    expect(Object.keys(errors).filter((row) => rows.includes(row))).toEqual(rows);
  });
});
