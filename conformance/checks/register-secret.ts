import { registeredAgent } from '../../spec/endpoints/register.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { registrationHeaders, signedRegistration } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], writes: true } as const;

const mainnetOnly = ({ network, registrationSecret }: Target): string | undefined => {
  if (network !== 'mainnet') return 'it holds on mainnet, and the target is a devnet';
  return registrationSecret === undefined ? 'the target file has no registration_secret' : undefined;
};
const devnetOnly = ({ network }: Target): string | undefined =>
  network === 'devnet' ? undefined : 'it holds on devnet, and the target is a mainnet';

/** Registers a root with these headers alone. */
const register = (t: Trial, headers: Record<string, string>, body: object = { name: t.word() }) =>
  t.call('register', { body, headers });

const optional: Check = {
  ...base,
  id: 'register/secret-optional',
  title: 'On devnet a root registers without a secret',
  clauses: ['register.header.secret.devnet', 'key.registration-secret.devnet'],
  unfit: devnetOnly,
  registers: 1,
  requests: 1,
  async run(t) {
    t.accepted(await register(t, {}), registeredAgent);
  },
};

const ignored: Check = {
  ...base,
  id: 'register/secret-ignored',
  title: 'A secret sent to a server that has none configured is ignored',
  clauses: ['register.secret.ignored'],
  unfit: ({ network, registrationSecret }) =>
    network === 'devnet' && registrationSecret === undefined ? undefined : 'the target has a secret configured',
  registers: 1,
  requests: 1,
  async run(t) {
    t.accepted(await register(t, { 'x-registration-secret': t.hex(8) }), registeredAgent);
  },
};

const missing: Check = {
  ...base,
  id: 'register/secret-missing',
  title: 'On mainnet a root registration without secret and token is refused',
  clauses: ['register.header.secret.mainnet', 'key.registration-secret.mainnet', 'register.error.auth-missing'],
  unfit: mainnetOnly,
  registers: 2,
  requests: 2,
  refusal: true,
  async run(t) {
    t.refused(await register(t, {}), 'register/AUTH_MISSING');
    t.accepted(await register(t, registrationHeaders(t.session)), registeredAgent);
  },
};

const wrong: Check = {
  ...base,
  id: 'register/secret-wrong',
  title: 'On mainnet a wrong secret is refused',
  clauses: ['key.registration-secret', 'key.registration-secret.mainnet', 'register.error.auth-invalid'],
  unfit: mainnetOnly,
  registers: 2,
  requests: 2,
  refusal: true,
  async run(t) {
    t.refused(await register(t, { 'x-registration-secret': t.hex(16) }), 'register/AUTH_INVALID');
    t.accepted(await register(t, registrationHeaders(t.session)), registeredAgent);
  },
};

const bothPhases: Check = {
  ...base,
  id: 'register/secret-both-phases',
  title: 'On mainnet both phases of a wallet registration need the secret',
  clauses: ['register.secret.both-phases'],
  unfit: mainnetOnly,
  registers: 0,
  walletRegisters: 4,
  requests: 4,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const secret = registrationHeaders(t.session);
    const challenge = { name, action: 'challenge' };
    t.refused(await register(t, {}, challenge), 'register/AUTH_MISSING');
    const nonce = t.accepted(await register(t, secret, challenge)).string('nonce');
    const body = signedRegistration(t, { name, nonce, wallet });
    t.refused(await register(t, {}, body), 'register/AUTH_MISSING');
    t.accepted(await register(t, secret, body));
  },
};

const token: Check = {
  ...base,
  id: 'register/token-for-secret',
  title: 'On mainnet a token stands in for the secret',
  clauses: ['register-token.use.replaces-secret', 'register.header.token', 'key.registration-token'],
  unfit: mainnetOnly,
  registers: 2,
  tokens: 1,
  requests: 3,
  refusal: true,
  async run(t) {
    const issued = t.accepted(await t.call('register-token')).string('token');
    t.refused(await register(t, { 'x-registration-token': t.hex(32) }), 'register/AUTH_INVALID');
    t.accepted(await register(t, { 'x-registration-token': issued }), registeredAgent);
  },
};

const spent: Check = {
  ...base,
  id: 'register/token-spent',
  title: 'Both phases of a wallet registration take one token, and the agent that they make uses it up',
  clauses: ['register.token.spent', 'register.error.auth-invalid.token'],
  registers: 1,
  walletRegisters: 2,
  tokens: 1,
  requests: 4,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const token = t.accepted(await t.call('register-token')).string('token');
    const headers = { 'x-registration-token': token };
    const nonce = t.accepted(await register(t, headers, { name, action: 'challenge' })).string('nonce');
    t.accepted(await register(t, headers, signedRegistration(t, { name, nonce, wallet })));
    t.refused(await register(t, headers), 'register/AUTH_INVALID');
  },
};

export const registerSecretChecks: readonly Check[] = [optional, ignored, missing, wrong, bothPhases, token, spent];
