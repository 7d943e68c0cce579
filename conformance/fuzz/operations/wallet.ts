/** POST /agent/wallet (4.12). Registration with a wallet is in register.ts. */

import { at } from '../../../model/reading/values.js';
import { nearHash } from '../../trial/looks.js';
import { anyOf, mostly, near, place, request } from '../operation.js';

/** Asks for a challenge, and links a wallet rightly or wrongly. */
export const linkWallet = request(
  'wallet',
  {
    agent: place,
    kind: anyOf('self-custody', 'operator'),
    wrong: mostly(
      'nothing',
      ...(['other-agent', 'other-key', 'other-prefix', 'nonce', 'near-nonce'] as const),
      ...(['late', 'at-the-end', 'last-nonce', 'of-another'] as const),
    ),
  },
  async (player, { agent: who, kind, wrong }) => {
    const { key, hash } = player.agent(who);
    const { dialect, protocol } = player.target;
    const sent = { method: 'POST', path: '/agent/wallet', key, address: player.address() };
    const asked = await player.play({ request: { ...sent, body: { action: 'challenge' } } });
    const fresh = at(asked.json, 'nonce');
    if (asked.status >= 300 || typeof fresh !== 'string') return undefined;
    const last = player.ticket('wallet', ({ used }) => used)?.id;
    const others = player.ticket('wallet', ({ of, used }) => of !== hash && !used)?.id;
    const nonces = {
      nonce: player.draws.hex(32),
      'near-nonce': near(fresh),
      'last-nonce': last ?? fresh,
      'of-another': others ?? fresh,
    };
    const wallet_nonce = nonces[wrong as keyof typeof nonces] ?? fresh;
    const { nonceTtlSec } = protocol.wallet;
    if (wrong === 'late') await player.advance({ ms: (nonceTtlSec + 1) * 1_000 });
    if (wrong === 'at-the-end') await player.advance({ ms: (nonceTtlSec - 1) * 1_000 });
    const [wallet, other] = [player.wallet(), player.wallet()];
    const shown = kind === 'operator' ? wallet.address : wallet.publicKeyHex;
    const signer = wrong === 'other-key' ? other : wallet;
    const about = wrong === 'other-agent' ? nearHash(hash) : hash;
    const isOperator = (kind === 'operator') !== (wrong === 'other-prefix');
    const prefix = `${dialect.messagePrefix}-link-wallet${isOperator ? '-operator' : ''}`;
    const wallet_signature = signer.sign(`${prefix}:${wallet_nonce}:${shown}:${about}`);
    const fields =
      kind === 'operator' ? { wallet_model: 'operator', operator_wallet_address: shown } : { wallet_public_key: shown };
    return { request: { ...sent, body: { wallet_nonce, ...fields, wallet_signature } } };
  },
);
