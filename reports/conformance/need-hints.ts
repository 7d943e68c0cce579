/** Advice about the kinds of reasons for not judging: additions to the command or to the target file. */

import type { Why } from '../../results/conformance-result.js';
import { controlCallName } from '../../spec/control-calls.js';

/** Advice to a reader. */
interface Advice {
  /** In our words, `code` between backticks. */
  readonly text: string;
  /** Words to add to the command, or that a line of the target file does it. */
  readonly by?: 'target-file' | `--${string}`;
}

const given = (what: string): Advice => ({ text: `give ${what}`, by: 'target-file' });
const added = (flag: `--${string}`): Advice => ({ text: `add \`${flag}\``, by: flag });

const CLOCK = '`control: { url, token }` of a server whose clock moves only when told (`aips serve --clock manual`)';
const CLIENT_IP = '`client_ip: x-forwarded-for`, if the server trusts that header';
const APART =
  'let the server take the address of a client from `X-Forwarded-For`, as `client_ip: x-forwarded-for` of the target file says it does';
const LEDGER = '`payments: { kind: control }`, and `control` of a server that keeps a mock ledger';

/** Advice about a reason; undefined where nothing can be given. Where the control API is given and lacks a call, it names the call. */
export function adviceOn({ kind, of }: Why): Advice | undefined {
  if (of === undefined || OF_TARGET.includes(kind)) return ADVICE[kind];
  if (kind === 'client-ip' || kind === 'address') return { text: APART };
  if (kind === 'effect') return { text: `fix the control call ${controlCallName(of)} (docs/control-api.md)` };
  const calls = of
    .split(' ')
    .map((call) => `\`${call}\``)
    .join(' and ');
  const what: Partial<Record<Why['kind'], string>> = {
    clock: `let the clock move only when ${calls} of the control API says so`,
    payments: `let \`payments: { kind: control }\` pay by ${calls} of the control API`,
  };
  return { text: `${what[kind] ?? `let the control API have ${calls}`} (docs/control-api.md)` };
}

/** Kinds whose `of` names a decision or an endpoint, and not a call of the control API. */
const OF_TARGET: readonly Why['kind'][] = ['decision', 'endpoint', 'no-reply'];

/** Nothing can be given for a kind that is not here. */
const ADVICE: Readonly<Partial<Record<Why['kind'], Advice>>> = {
  exhaustive: added('--profile exhaustive'),
  writes: added('--allow-writes'),
  budget: { text: 'raise `budget: { requests, lamports, minutes }`' },
  purse: { text: 'put more into that wallet, or give the key file of another' },
  // Another way to pay is given already.
  ledger: given(LEDGER),
  payments: given(`${LEDGER}; or pay by \`solana-rpc\` or \`command\``),
  wait: { text: `add the \`--wait\` that it names, or give ${CLOCK}` },
  address: given(
    `${CLIENT_IP}; or run them alone with \`--only\`, when the hour is over or a restart has emptied the limits`,
  ),
  'client-ip': given(CLIENT_IP),
  beats: given('`beats_url`'),
  admin: given('`admin_key`'),
  partner: given('`partner_key`'),
  webhooks: given('`webhooks: { listen, public_url }`'),
  secret: given('`registration_secret`'),
  mainnet: { text: 'judge a mainnet deployment too: `network: mainnet` and `registration_secret`' },
  clock: given(CLOCK),
  control: given('`control: { url, token }` of the server’s control API'),
  effect: given('the `control.token` that the server’s control API takes'),
};
