/** Limits of registration (8): of roots without a wallet and children, and of the wallet flow, each over all forms that it counts. */

import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { register } from '../moves/register.js';
import { judgeLimit, needNewer } from '../steps/limit.js';
import { issueToken } from '../steps/register-call.js';
import { authorizationFor, registerChild } from '../steps/spawn-call.js';
import { windowOf } from '../steps/waits.js';
import { devnetOnly } from '../steps/wallet-modes.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const registerLimit: WrittenCheck = {
  id: 'register/limit',
  title: 'The 11th registration without a wallet from an address in an hour is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('register'),
  async run(t) {
    const other = t.newAddress();
    await judgeLimit(t, {
      limit: 'register',
      clause: 'limit.register',
      send: (n) => t.send(register(t.target, { name: `${t.word()}-${n}` }), { mayLimit: true }),
      other: () => t.send(register(t.target, { name: t.word() }), { address: other, mayLimit: true }),
    });
  },
};

const registerLimitsApart: WrittenCheck = {
  id: 'register/limits-apart',
  title: 'Calls of the wallet flow do not count in the limit of registrations without a wallet',
  needs: ['clock', 'client-ip'],
  async run(t) {
    const { count } = t.protocol.limits.register;
    const fill = Array.from({ length: count }, () =>
      t.send(register(t.target, { name: t.word() }), { mayLimit: true }),
    );
    const filled = await Promise.all(fill);
    needNewer('register', filled);
    for (const reply of filled) t.accepted(reply, 'limit.register');
    t.refused(
      await t.send(register(t.target, { name: t.word() }), { mayLimit: true }),
      'any/RATE_LIMITED',
      'limit.register',
    );
    const challenge = await t.send(register(t.target, { name: t.word(), action: 'challenge' }), { mayLimit: true });
    t.accepted(challenge, 'limit.register.wallet-flow');
  },
};

const registerLimitsApartToo: WrittenCheck = {
  ...registerLimitsApart,
  id: 'register/limits-apart-too',
  title: 'Registrations without a wallet do not count in the limit of the wallet flow',
  async run(t) {
    const { register: own, registerWalletFlow: others } = t.protocol.limits;
    const asked = Math.min(own.count + 1, others.count);
    const made: Reply[] = [];
    for (let n = 0; n < asked; n += 1) {
      const reply = await t.send(register(t.target, { name: t.word(), action: 'challenge' }), { mayLimit: true });
      needNewer('registerWalletFlow', [...made, reply]);
      made.push(t.accepted(reply, 'limit.register.wallet-flow'));
    }
    t.accepted(await t.send(register(t.target, { name: t.word() }), { mayLimit: true }), 'limit.register');
  },
};

/** A reply that only a limit decides. A refusal for another reason is no evidence of a limit, and the text does not say whether it counts. */
function admissible(t: Trial, reply: Reply, needed: string): Reply {
  return t.need(isRateLimited(reply) || reply.status < 300 ? reply : undefined, needed);
}

const registerLimitForms: WrittenCheck = {
  id: 'register/limit-forms',
  title: 'Registrations with metadata, with a token and of a child count in one limit',
  needs: ['beats', 'clock', 'client-ip'],
  async run(t) {
    const { count } = t.protocol.limits.register;
    needReachableCount(count, REACH.bucket, 'registrations fill limits.register');
    const [parent, token] = [await t.root({ init: true }), await issueToken(t)];
    const name = t.word();
    const spawn_authorization = await authorizationFor(t, parent, name);
    // All from one address that has not registered an agent before.
    const from = { address: t.newAddress(), mayLimit: true };
    const forms = [
      () => t.send(register(t.target, { name: t.word() }), { ...from, headers: { 'x-registration-token': token } }),
      () => t.send(register(t.target, { name: t.word(), metadata: { mark: t.word() } }), from),
      () => registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization }, from),
    ];
    const plain = (): Promise<Reply> => t.send(register(t.target, { name: t.word() }), from);
    const made: Reply[] = [];
    for (let n = 0; n < count; n += 1) {
      const reply = await (forms[n] ?? plain)();
      needNewer('register', [...made, reply]);
      made.push(t.accepted(admissible(t, reply, 'every form of registration'), 'limit.register'));
    }
    t.refused(await plain(), 'any/RATE_LIMITED', 'limit.register');
  },
};

const registerLimitWalletFlow: WrittenCheck = {
  id: 'register/limit-wallet-flow',
  title: 'The 31st call of the wallet flow from an address in an hour is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('registerWalletFlow'),
  async run(t) {
    const other = t.newAddress();
    const challenge = (address?: string): Promise<Reply> =>
      t.send(register(t.target, { name: t.word(), action: 'challenge' }), { address, mayLimit: true });
    await judgeLimit(t, {
      limit: 'registerWalletFlow',
      clause: 'limit.register.wallet-flow',
      send: () => challenge(),
      other: () => challenge(other),
    });
  },
};

/** Bodies of the first phase in the modes of the wallet flow that a target has, without the name. */
function walletPhases({ protocol, session }: Trial): readonly Readonly<Record<string, string>>[] {
  const isOpen = (mode: 'operator' | 'ethereum'): boolean => servesMode(protocol, `register/${mode}`);
  return [
    { action: 'challenge' },
    ...(isOpen('operator') ? [{ wallet_model: 'operator' }] : []),
    ...(isOpen('ethereum') && devnetOnly(session.target) === undefined
      ? [{ action: 'challenge', wallet_chain: 'ethereum' }]
      : []),
  ];
}

const registerLimitWalletForms: WrittenCheck = {
  id: 'register/limit-wallet-forms',
  title: 'The first phases of all modes with a wallet count in one limit',
  needs: ['clock', 'client-ip'],
  async run(t) {
    const { count } = t.protocol.limits.registerWalletFlow;
    needReachableCount(count, REACH.bucket, 'calls fill limits.registerWalletFlow');
    const phases = walletPhases(t);
    const ask = (n: number): Promise<Reply> =>
      t.send(register(t.target, { name: t.word(), ...phases[n % phases.length] }), { mayLimit: true });
    const made: Reply[] = [];
    for (let n = 0; n < count; n += 1) {
      const reply = await ask(n);
      needNewer('registerWalletFlow', [...made, reply]);
      made.push(t.accepted(admissible(t, reply, 'all modes of the wallet flow'), 'limit.register.wallet-flow'));
    }
    for (const n of phases.keys()) t.refused(await ask(n), 'any/RATE_LIMITED', 'limit.register.wallet-flow');
  },
};

export const registerLimitChecks: readonly WrittenCheck[] = [
  registerLimit,
  registerLimitsApart,
  registerLimitsApartToo,
  registerLimitForms,
  registerLimitWalletFlow,
  registerLimitWalletForms,
];
