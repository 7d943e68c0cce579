/**
 * Root registration is opened by the secret (5), and by the token that replaces it where a secret is asked for
 * (4.3).
 */
import { tokenRefused } from '../steps/register-call.js';
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

const registerSecretOptional: Check = {
  ...base,
  id: 'register/secret-optional',
  title: 'On devnet a root registers without a secret',
  clauses: ['register.header.secret.devnet', 'key.registration-secret.devnet'],
  unsuitableFor: devnetOnly,
  registers: 1,
  requests: 1,
  async run(t) {
    t.accepted(await register(t, {}), 'register.header.secret.devnet', 'key.registration-secret.devnet');
  },
};

const registerSecretIgnored: Check = {
  ...base,
  id: 'register/secret-ignored',
  title: 'A secret sent to a server that has none configured is ignored',
  clauses: ['register.secret.ignored'],
  unsuitableFor: ({ network, registrationSecret }) =>
    network === 'devnet' && registrationSecret === undefined ? undefined : 'the target has a secret configured',
  registers: 1,
  requests: 1,
  async run(t) {
    t.accepted(await register(t, { 'x-registration-secret': t.hex(8) }), 'register.secret.ignored');
  },
};

const registerSecretMissing: Check = {
  ...base,
  id: 'register/secret-missing',
  title: 'On mainnet a root registration without secret and token is refused',
  clauses: [
    'register.header.secret.mainnet',
    'key.registration-secret.mainnet',
    'key.registration-secret',
    'register.error.auth-missing',
  ],
  unsuitableFor: mainnetOnly,
  registers: 2,
  requests: 2,
  refusal: true,
  async run(t) {
    const musts = ['register.header.secret.mainnet', 'key.registration-secret.mainnet'];
    t.refused(await register(t, {}), 'register/AUTH_MISSING', ...musts, 'register.error.auth-missing');
    t.accepted(await register(t, registrationHeaders(t.session)), 'key.registration-secret');
  },
};

const registerSecretWrong: Check = {
  ...base,
  id: 'register/secret-wrong',
  title: 'On mainnet a wrong secret is refused',
  clauses: ['key.registration-secret', 'key.registration-secret.mainnet', 'register.error.auth-invalid'],
  unsuitableFor: mainnetOnly,
  registers: 6,
  requests: 6,
  refusal: true,
  async run(t) {
    const secret = t.session.target.registrationSecret ?? '';
    const [short, end] = [secret.slice(0, -1), secret.slice(-1)];
    // As long as the secret, and the same except for the last character or the first.
    const alike = [`${short}${end === 'x' ? 'y' : 'x'}`, `${secret.startsWith('x') ? 'y' : 'x'}${secret.slice(1)}`];
    for (const wrong of [t.hex(16), `${secret}x`, short || 'x', ...alike]) {
      const reply = await register(t, { 'x-registration-secret': wrong });
      const musts = ['key.registration-secret', 'key.registration-secret.mainnet'];
      t.refused(reply, 'register/AUTH_INVALID', ...musts, 'register.error.auth-invalid');
    }
    t.accepted(await register(t, registrationHeaders(t.session)), 'key.registration-secret');
  },
};

const registerSecretBothPhases: Check = {
  ...base,
  id: 'register/secret-both-phases',
  title: 'On mainnet both phases of a wallet registration need the secret',
  clauses: ['register.secret.both-phases', 'register.header.secret.mainnet', 'key.registration-secret.mainnet'],
  unsuitableFor: mainnetOnly,
  registers: 0,
  walletRegisters: 4,
  requests: 4,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const secret = registrationHeaders(t.session);
    const challenge = { name, action: 'challenge' };
    t.refused(await register(t, {}, challenge), 'register/AUTH_MISSING', 'register.secret.both-phases');
    const nonce = t.accepted(await register(t, secret, challenge)).string('nonce');
    const body = signedRegistration(t, { name, nonce, wallet });
    // Phase 2 makes the agent: whatever phase 1 asks for, this one needs the secret (4.2).
    const musts = ['register.header.secret.mainnet', 'key.registration-secret.mainnet'];
    t.refused(await register(t, {}, body), 'register/AUTH_MISSING', ...musts, 'register.secret.both-phases');
    t.accepted(await register(t, secret, body));
  },
};

/** Clauses for which a token taken in place of the secret is evidence. */
const replaces = ['register-token.use.replaces-secret', 'register.header.token', 'key.registration-token'] as const;

const registerTokenForSecret: Check = {
  ...base,
  id: 'register/token-for-secret',
  title: 'On mainnet a token stands in for the secret, once, and no invented one does',
  clauses: [...replaces, 'register-token.use.header', 'register-token.use.once', 'register.error.auth-invalid.token'],
  unsuitableFor: mainnetOnly,
  registers: 5,
  walletRegisters: 1,
  tokens: 2,
  requests: 8,
  refusal: true,
  async run(t) {
    const issue = async (): Promise<string> => t.accepted(await t.call('register-token')).string('token');
    const withToken = (token: string) => register(t, { 'x-registration-token': token });
    const asked = await register(t, registrationHeaders(t.session), { name: t.word(), action: 'challenge' });
    const nonce = t.accepted(asked).string('nonce');
    await tokenRefused(t, await withToken(nonce), 'key.registration-token');
    const issued = await issue();
    await tokenRefused(t, await withToken(t.hex(32)), 'register-token.use.header', 'key.registration-token');
    t.accepted(await withToken(issued), ...replaces);
    await tokenRefused(t, await withToken(issued), 'register-token.use.once', 'key.registration-token');
    t.accepted(await withToken(await issue()), ...replaces);
  },
};

const registerTokenLate: Check = {
  ...base,
  id: 'register/token-late',
  title: 'On mainnet a token opens nothing after 300 seconds',
  clauses: [
    'register-token.use.window',
    'constant.registration-token-ttl',
    'key.registration-token',
    'register.error.auth-invalid.token',
  ],
  needs: ['clock'],
  unsuitableFor: mainnetOnly,
  registers: 2,
  tokens: 2,
  requests: 5,
  refusal: true,
  waits: ({ registration }) => ({ sec: registration.tokenTtlSec + 1 }),
  async run(t) {
    const issue = async (): Promise<string> => t.accepted(await t.call('register-token')).string('token');
    const withToken = (token: string) => register(t, { 'x-registration-token': token });
    const token = await issue();
    await t.sleep({ sec: t.protocol.registration.tokenTtlSec + 1 });
    const musts = ['register-token.use.window', 'constant.registration-token-ttl', 'key.registration-token'];
    await tokenRefused(t, await withToken(token), ...musts);
    t.accepted(await withToken(await issue()), 'key.registration-token');
  },
};

const registerTokenSpent: Check = {
  ...base,
  id: 'register/token-spent',
  title: 'Both phases of a wallet registration take one token, and the agent that they make uses it up',
  clauses: ['register.token.spent', 'register.error.auth-invalid.token', 'register-token.use.once'],
  registers: 3,
  walletRegisters: 4,
  tokens: 2,
  requests: 9,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const issue = async () => t.accepted(await t.call('register-token')).string('token');
    const headers = { 'x-registration-token': await issue() };
    const ask = async () => t.accepted(await register(t, headers, { name, action: 'challenge' })).string('nonce');
    // A call that makes no agent uses nothing up.
    const unsigned = {
      ...signedRegistration(t, { name, nonce: await ask(), wallet }),
      wallet_signature: t.hex(32) + t.hex(32),
    };
    await register(t, headers, unsigned);
    const made = await register(t, headers, signedRegistration(t, { name, nonce: await ask(), wallet }));
    t.accepted(made, 'register.token.spent');
    const again = await register(t, headers);
    t.shows('register.token.spent').refuses(again);
    await tokenRefused(t, again, 'register-token.use.once');
    t.accepted(await register(t, { 'x-registration-token': await issue() }));
  },
};

export const registerSecretChecks: readonly Check[] = [
  registerSecretOptional,
  registerSecretIgnored,
  registerSecretMissing,
  registerSecretWrong,
  registerSecretBothPhases,
  registerTokenForSecret,
  registerTokenLate,
  registerTokenSpent,
];
