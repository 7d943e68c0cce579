/**
 * The credentials of a root registration: the secret (5), and the token that replaces it if the server requires a secret
 * (4.3).
 */
import { challengeOf, register as registerMove, secretHeader } from '../moves/register.js';
import { issueToken, spendToken } from '../steps/register-call.js';
import type { Target } from '../target/target.js';
import type { WrittenCheck } from '../trial/check.js';
import { signedRegistration } from '../trial/fixtures.js';
import { mainnetOnly } from '../trial/needs.js';
import type { Trial } from '../trial/trial.js';

const devnetOnly = ({ network }: Target): string | undefined =>
  network === 'devnet' ? undefined : 'it applies to devnet, and the target is a mainnet';

/** Registers a root with these headers alone. */
const register = (t: Trial, headers: Record<string, string>, body: object = { name: t.word() }) =>
  t.send({ ...registerMove(t.target, body), headers });

const registerSecretOptional: WrittenCheck = {
  id: 'register/secret-optional',
  title: 'On devnet a root registration without a secret is accepted',
  unsuitableFor: devnetOnly,
  async run(t) {
    t.accepted(await register(t, {}), 'register.header.secret.devnet', 'key.registration-secret.devnet');
  },
};

const registerSecretIgnored: WrittenCheck = {
  id: 'register/secret-ignored',
  title: 'A server without a configured secret ignores a secret in the request',
  unsuitableFor: ({ network, registrationSecret }) =>
    network === 'devnet' && registrationSecret === undefined ? undefined : 'the target has a secret configured',
  async run(t) {
    t.accepted(await register(t, { 'x-registration-secret': t.hex(8) }), 'register.secret.ignored');
  },
};

const registerSecret: WrittenCheck = {
  id: 'register/secret',
  title:
    'Mainnet refuses a root registration without the secret or with another one, also in both phases of the wallet flow',
  unsuitableFor: mainnetOnly,
  async run(t) {
    const secret = t.session.target.registrationSecret ?? '';
    const [short, end] = [secret.slice(0, -1), secret.slice(-1)];
    // Two wrong secrets, as long as the right one: one differs in the last character, one in the first.
    const alike = [`${short}${end === 'x' ? 'y' : 'x'}`, `${secret.startsWith('x') ? 'y' : 'x'}${secret.slice(1)}`];
    await register(t, {});
    for (const wrong of [t.hex(16), `${secret}x`, short || 'x', ...alike])
      await register(t, { 'x-registration-secret': wrong });
    const right = secretHeader(t.target);
    t.mustSucceed(await register(t, right));
    const [name, wallet] = [t.word(), t.wallet()];
    const challenge = challengeOf('self-custody', name);
    await register(t, {}, challenge);
    const nonce = t.mustSucceed(await register(t, right, challenge)).string('nonce');
    const body = signedRegistration(t, { name, nonce, wallet });
    await register(t, {}, body);
    t.mustSucceed(await register(t, right, body));
  },
};

const registerTokenForSecret: WrittenCheck = {
  id: 'register/token-for-secret',
  title: 'On mainnet a token replaces the secret once, and an invented token does not',
  unsuitableFor: mainnetOnly,
  async run(t) {
    const asked = await register(t, secretHeader(t.target), challengeOf('self-custody', t.word()));
    const issued = await issueToken(t);
    for (const token of [t.mustSucceed(asked).string('nonce'), t.hex(32)]) await spendToken(t, token);
    t.mustSucceed(await spendToken(t, issued));
    await spendToken(t, issued);
    t.mustSucceed(await spendToken(t, await issueToken(t)));
  },
};

const registerTokenLate: WrittenCheck = {
  id: 'register/token-late',
  title: 'On mainnet a token is refused after 300 seconds',
  needs: ['clock'],
  unsuitableFor: mainnetOnly,
  waits: ({ registration }) => ({ sec: registration.tokenTtlSec + 1 }),
  async run(t) {
    const token = await issueToken(t);
    await t.sleep({ sec: t.protocol.registration.tokenTtlSec + 1 });
    t.refused(await spendToken(t, token), 'register/AUTH_INVALID', 'register-token.use.window');
    t.mustSucceed(await spendToken(t, await issueToken(t)));
  },
};

const registerTokenSpent: WrittenCheck = {
  id: 'register/token-spent',
  title: 'Both phases of a wallet registration accept one token, and the token is used when the agent is registered',
  async run(t) {
    const [name, wallet, token] = [t.word(), t.wallet(), await issueToken(t)];
    const headers = { 'x-registration-token': token };
    const ask = async () =>
      t.mustSucceed(await register(t, headers, challengeOf('self-custody', name))).string('nonce');
    // A call that registers no agent does not use up the token.
    const unsigned = signedRegistration(t, { name, nonce: await ask(), wallet });
    await register(t, headers, { ...unsigned, wallet_signature: t.hex(32) + t.hex(32) });
    const signed = signedRegistration(t, { name, nonce: await ask(), wallet });
    t.accepted(await register(t, headers, signed), 'register.token.spent');
    await spendToken(t, token);
    t.mustSucceed(await spendToken(t, await issueToken(t)));
  },
};

export const registerSecretChecks: readonly WrittenCheck[] = [
  registerSecretOptional,
  registerSecretIgnored,
  registerSecret,
  registerTokenForSecret,
  registerTokenLate,
  registerTokenSpent,
];
