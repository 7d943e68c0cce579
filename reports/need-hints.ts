/** Turns the reasons of checks that were not tested into advice on what to add to the target file. */

const CLOCK =
  'give `control: { url, token }` of a server whose clock moves only when told (`aips serve --clock manual`)';
const BEATS = 'give `beats_url`';
const CLIENT_IP = 'give `client_ip: x-forwarded-for`, if the server trusts that header';

const LIMITED = `${CLIENT_IP}; or run them alone with \`--only\`, when the hour is over or a restart has emptied the limits`;

/** A word, or words, by which a reason names what is missing, and what provides it. The first word that a reason holds counts. */
const HINTS: readonly (readonly [word: string, hint: string])[] = [
  ['exhaustive', 'add `--profile exhaustive`'],
  ['--allow-writes', 'add `--allow-writes`'],
  ['budget', 'raise `budget: { requests, lamports, minutes }`'],
  ['key_file', 'put more into that wallet, or give the key file of another'],
  // Said where another way to pay is given already.
  ['kind: control', 'give `payments: { kind: control }`, and `control` of a server that keeps a mock ledger'],
  [
    'payments',
    'give `payments: { kind: control }`, and `control` of a server that keeps a mock ledger; or pay by `solana-rpc` or `command`',
  ],
  ['--wait', `add that \`--wait\`, or ${CLOCK}`],
  ['one address', LIMITED],
  ['rate limited', LIMITED],
  ['client_ip', CLIENT_IP],
  ['client-ip', CLIENT_IP],
  ['beats_url', BEATS],
  ['beats', BEATS],
  ['admin_key', 'give `admin_key`'],
  ['admin', 'give `admin_key`'],
  ['partner_key', 'give `partner_key`'],
  ['partner', 'give `partner_key`'],
  ['webhooks', 'give `webhooks: { listen, public_url }`'],
  ['registration_secret', 'give `registration_secret`'],
  ['clock', CLOCK],
  ['control', 'give `control: { url, token }` of the server’s control API'],
];

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    // In a path, a word is not ours: `/agent/beats/submit`.
    if (!/[\w/-]/u.test(text.charAt(at - 1)) && !/[\w/-]/u.test(text.charAt(at + word.length))) return true;
  }
  return false;
}

/** How to provide what the reason says is missing, or undefined when the reason names nothing that can be given. */
export function needHint(reason: string): string | undefined {
  if (reason.startsWith('unreachable under these numbers') || /^D-\d+ is not followed/u.test(reason)) return undefined;
  return HINTS.find(([word]) => holdsWord(reason, word))?.[1];
}
