/** POST /agent/wallet (4.12). Registration with a wallet is in register.ts. */

import { at } from '../../../model/reading/values.js';
import { namesOf, near, nearHash } from '../../moves/move.js';
import { link, linkBody, linkChallenge, linkForgeries, linkForms } from '../../moves/wallet.js';
import { anyOf, mostly, place, request } from '../operation.js';

/** Requests a challenge, and links a wallet with a valid or an invalid proof. */
export const linkWallet = request(
  'wallet',
  {
    agent: place,
    kind: anyOf(...linkForms),
    wrong: mostly(
      'nothing',
      ...namesOf(linkForgeries),
      ...(['nonce', 'near-nonce', 'late', 'at-the-end', 'last-nonce', 'of-another'] as const),
    ),
  },
  async (player, { agent: who, kind: form, wrong }) => {
    const agent = player.agent(who);
    const address = player.address();
    const { hash } = agent;
    const asked = await player.send({ ...linkChallenge(agent), address });
    const fresh = at(asked.json, 'nonce');
    if (asked.status >= 300 || typeof fresh !== 'string') return undefined;
    const last = player.ticket('wallet', ({ used }) => used)?.id;
    const others = player.ticket('wallet', ({ of, used }) => of !== hash && !used)?.id;
    const other = player.draws.hex(32);
    const nonces: Partial<Record<string, string>> = {
      nonce: other,
      'near-nonce': near(fresh),
      'last-nonce': last ?? fresh,
      'of-another': others ?? fresh,
    };
    const { dialect, protocol } = player.target;
    const { nonceTtlSec } = protocol.wallet;
    if (wrong === 'late') await player.advance({ ms: (nonceTtlSec + 1) * 1_000 });
    if (wrong === 'at-the-end') await player.advance({ ms: (nonceTtlSec - 1) * 1_000 });
    const made = { dialect, form, hash, nonce: nonces[wrong] ?? fresh, wallet: player.wallet() };
    const forger = { wallet: player.wallet(), hash: nearHash(hash), nonce: other };
    const signature =
      wrong in linkForgeries ? linkForgeries[wrong as keyof typeof linkForgeries](made, forger) : undefined;
    return { ...link(agent, linkBody(made, signature)), address };
  },
);
