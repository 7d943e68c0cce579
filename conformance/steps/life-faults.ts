/**
 * Calls of an agent that are refused, at each station of its life: with one fault each, and the clause by which each is refused. How
 * it is refused is judged by the checks of the endpoints.
 */
import type { Reply } from '../assertions/reply.js';
import { proofOf } from '../protocol/beats.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { complaint, type Flags } from './flagging.js';
import { heartbeatFee, purchase } from './paid.js';
import { penalty, resync } from './resync-call.js';
import { costBeats, preflight, registerChild, spawn } from './spawn-call.js';
import { sponsor } from './sponsor-call.js';
import { finalize, link, nonceFor } from './wallet-call.js';
import { type BeatProof, receiptFor, sharedChain } from './work.js';

/** A call with one fault, and the clause that has it refused. */
type Fault = readonly [clause: string, send: () => Promise<Reply>];

/** The clauses of the faults that every agent commits. */
export const FAULTS = [
  'metadata.sigil-needed',
  'flag.rule.reporter-sigil',
  'sigil.error.validation.tier',
  'sigil.error.payment-invalid',
  'sigil.error.payment-invalid.amount',
  'heartbeat.error.payment-required',
  'heartbeat.error.payment-invalid',
  'heartbeat.error.payment-invalid.amount',
  'heartbeat.error.payment-sender-mismatch',
  'heartbeat.error.payment-already-used',
  'reissue-proof.error.payment-invalid',
  'reissue-proof.error.payment-invalid.amount',
  'metadata.immutable.tier',
  'spawn.error.insufficient-beats',
  'register.child.body.spawn-authorization',
  'spawn.auth',
  'sponsor.rule.not-self',
  'sponsor.rule.descendant',
  'sponsor.error.agent-not-found',
  'sponsor.error.sponsor-not-found',
  'resync.transition.not-frozen',
  'resync.penalty',
  'beat.step',
] as const;

/** Those of the faults of some kinds alone. */
export const FAULTS_OF = {
  links: ['wallet.error.nonce-invalid', 'wallet.error.signature-invalid'],
  root: ['heartbeat.sigil.root'],
  reporter: ['flag.rule.not-self', 'flag.rule.one-pending', 'flag.rule.target-exists'],
  prove: ['resync.prove.body'],
} as const;

/** Makes calls with faults, each of which has to be refused. */
export async function inVain(t: Trial, faults: readonly Fault[]): Promise<void> {
  for (const [clause, send] of faults) t.refusedWith(await send(), '4xx', clause);
}

/** 4.12: links with a nonce that was never issued, and that another wallet has signed. */
export const linkFaults = (t: Trial, agent: Agent, form: 'self-custody' | 'operator'): readonly Fault[] => [
  [
    'wallet.error.nonce-invalid',
    () => link(t, agent, finalize(t, form, { agent, nonce: t.hex(t.protocol.wallet.nonceBytes), wallet: t.wallet() })),
  ],
  [
    'wallet.error.signature-invalid',
    async () => {
      const [nonce, wallet] = [await nonceFor(t, agent), t.wallet()];
      const { wallet_signature: signature } = finalize(t, form, { agent, nonce, wallet: t.wallet() });
      return link(
        t,
        agent,
        finalize(t, form, { agent, nonce, wallet, ...(signature === undefined ? {} : { signature }) }),
      );
    },
  ],
];

/** 4.6, 4.11 and 4.16: calls that take a SIGIL, and purchases of one that lack something. */
export function faultsBeforeSigil(
  t: Trial,
  agent: WalletAgent,
  { identityClass, flags, depth }: { readonly identityClass: string; readonly flags: Flags; readonly depth: number },
): readonly Fault[] {
  const buy = (payment_tx: string, more: object = {}): Promise<Reply> => {
    const what = { ...purchase(t, { identity_class: identityClass, tier: 'org' }), ...more };
    return t.call('sigil', { key: agent.key, body: { ...what, payment_tx } });
  };
  const pay = (lamports: number): Promise<string> => t.pay({ from: agent.wallet, lamports });
  const fee = sigilFeeLamports(t.protocol, identityClass);
  const early: Fault = [
    'heartbeat.sigil.root',
    async () => {
      const payment_tx = await pay(heartbeatFee(t.protocol, 1).lamports);
      return t.call('heartbeat', { key: agent.key, body: { payment_tx } });
    },
  ];
  return [
    ...(depth === 0 ? [early] : []),
    ['metadata.sigil-needed', () => t.call('metadata', { key: agent.key, body: { capability: 'analyst' } })],
    ['flag.rule.reporter-sigil', async () => flags.file(agent, complaint(await t.sharedRoot()))],
    ['sigil.error.validation.tier', async () => buy(await pay(fee), { tier: 'none' })],
    ['sigil.error.payment-invalid', () => buy(t.hex(32))],
    ['sigil.error.payment-invalid.amount', async () => buy(await pay(fee - 1))],
  ];
}

/** 4.5: heartbeats with a missing, unknown, wrong or foreign payment; `used` is one that has paid a heartbeat of the same fee. */
export function heartbeatFaults(
  t: Trial,
  agent: WalletAgent,
  { n, used }: { readonly n: number; readonly used: string | undefined },
): readonly Fault[] {
  const { lamports } = heartbeatFee(t.protocol, n);
  const send = (body: object): Promise<Reply> => t.call('heartbeat', { key: agent.key, body });
  const again: Fault = ['heartbeat.error.payment-already-used', () => send({ payment_tx: used })];
  return [
    ['heartbeat.error.payment-required', () => send({})],
    ['heartbeat.error.payment-invalid', () => send({ payment_tx: t.hex(32) })],
    [
      'heartbeat.error.payment-invalid.amount',
      async () => send({ payment_tx: await t.pay({ from: agent.wallet, lamports: lamports + 1 }) }),
    ],
    [
      'heartbeat.error.payment-sender-mismatch',
      async () => {
        const stranger = t.wallet();
        await t.fund(stranger, lamports);
        return send({ payment_tx: await t.pay({ from: stranger, lamports }) });
      },
    ],
    ...(used === undefined ? [] : [again]),
  ];
}

/** 4.7: reissues with an invalid payment. */
export function reissueFaults(t: Trial, agent: WalletAgent): readonly Fault[] {
  const send = (payment_tx: string): Promise<Reply> =>
    t.call('reissue-proof', { key: agent.key, body: { payment_tx } });
  const lamports = t.protocol.reissue.feeLamports - 1;
  return [
    ['reissue-proof.error.payment-invalid', () => send(t.hex(32))],
    ['reissue-proof.error.payment-invalid.amount', async () => send(await t.pay({ from: agent.wallet, lamports }))],
  ];
}

/** 4.11: nobody changes the tier. */
export const metadataFaults = (t: Trial, agent: Agent): readonly Fault[] => [
  [
    'metadata.immutable.tier',
    () => t.call('metadata', { key: agent.key, body: { capability: 'witness', tier: 'ind' } }),
  ],
];

/** 4.16: complaints of nobody, of itself, and of one that is complained of by it. An agent that files more than three an hour is limited. */
export const flagFaults = (
  t: Trial,
  agent: Agent,
  { flags, pending }: { readonly flags: Flags; readonly pending: Agent | undefined },
): readonly Fault[] =>
  pending === undefined
    ? [
        ['flag.rule.not-self', () => flags.file(agent, complaint(agent))],
        ['flag.rule.target-exists', () => flags.file(agent, complaint({ hash: unknown(t) }), { mayMiss: true })],
      ]
    : [['flag.rule.one-pending', () => flags.file(agent, complaint(pending))]];

/** 4.8 and 4.2: a child for less than it costs, without leave, or of another. */
export function spawnFaults(
  t: Trial,
  agent: Agent,
  { depth, siblings }: { readonly depth: number; readonly siblings: number },
): readonly Fault[] {
  const beats = costBeats(t, depth, siblings);
  const child = { name: t.word(), parent: agent.hash, spawn_authorization: t.hex(32) };
  return [
    // Whose depth counts is not shown: a child of the first generation costs less by either reading.
    [
      'spawn.error.insufficient-beats',
      () => preflight(t, agent, t.word(), Math.min(beats, costBeats(t, 0, siblings)) - 1),
    ],
    ['register.child.body.spawn-authorization', () => registerChild(t, agent.key, child)],
    [
      'spawn.auth',
      async () => {
        const { name: child_name, hash: child_hash } = await t.sharedRoot();
        return spawn(t, agent, { child_name, child_hash });
      },
    ],
  ];
}

/** 4.13: sponsorships of itself, of nobody and of no descendant, and the end of one that there is not. */
export function sponsorFaults(
  t: Trial,
  agent: Agent,
  { parent, child }: { readonly parent: Agent | undefined; readonly child: Agent },
): readonly Fault[] {
  const body = { child_hash: child.hash };
  const above: Fault = ['sponsor.rule.descendant', () => sponsor(t, agent, parent?.hash)];
  return [
    ['sponsor.rule.not-self', () => sponsor(t, agent, agent.hash)],
    ['sponsor.error.agent-not-found', () => sponsor(t, agent, unknown(t), {}, { mayMiss: true })],
    ['sponsor.rule.descendant', async () => sponsor(t, agent, (await t.sharedRoot()).hash)],
    ...(parent === undefined ? [] : [above]),
    [
      'sponsor.error.agent-not-found',
      () => t.call('sponsor.delete', { key: agent.key, body: { child_hash: unknown(t) }, mayMiss: true }),
    ],
    ['sponsor.error.sponsor-not-found', () => t.call('sponsor.delete', { key: agent.key, body, mayMiss: true })],
  ];
}

/** 4.10: a receipt for less than is owed after the missed anchors, by either reading. */
export const receiptFaults = (t: Trial, agent: Agent, missed: number): readonly Fault[] => [
  [
    'resync.penalty',
    async () => resync(t, agent, await receiptFor(t, proofOf(await sharedChain(t, penalty(t, missed - 1) - 1)))),
  ],
];

/** 4.10: invalid answers to a challenge: under another nonce, with fewer beats, and with one that does not follow. */
export function proveFaults(
  t: Trial,
  agent: Agent,
  { nonce, proof, shorter }: { readonly nonce: string; readonly proof: BeatProof; readonly shorter: BeatProof },
): readonly Fault[] {
  const prove = (challenge_nonce: string, sent: BeatProof): Promise<Reply> =>
    t.call('resync', {
      key: agent.key,
      body: { action: 'prove', challenge_nonce, proof: sent },
      address: t.newAddress(),
    });
  const spot_checks = proof.spot_checks.map((check, place) => (place === 1 ? { ...check, hash: t.hex(32) } : check));
  return [
    ['resync.prove.body', () => prove(t.hex(t.protocol.resync.nonceBytes), proof)],
    ['resync.penalty', () => prove(nonce, shorter)],
    ['beat.step', () => prove(nonce, { ...proof, spot_checks })],
    ['resync.prove.body', () => prove(nonce, { ...proof, from_hash: t.hex(32) })],
  ];
}

/** An agent hash that is nobody's. */
const unknown = (t: Trial): string => `0x${t.hex(t.protocol.agent.hashBytes)}`;
