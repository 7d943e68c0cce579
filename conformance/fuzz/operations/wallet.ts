/** POST /agent/wallet (4.12), as model tests play and predict it. Registration with a wallet is in register.ts. */

import * as fc from 'fast-check';
import { servesMode } from '../../../spec/parts.js';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { AgentState } from '../state.js';
import { keyFault } from './init.js';

interface Linking {
  readonly agent: number;
  readonly kind: 'self-custody' | 'operator';
  readonly wrong:
    | 'nothing'
    | 'other-agent'
    | 'other-key'
    | 'other-prefix'
    | 'nonce'
    | 'late'
    | 'at-the-end'
    | 'last-nonce';
}

/** Asks for a challenge and makes the second phase ready. */
export async function readyLink(player: Player, { agent: who, kind, wrong }: Linking): Promise<Ready | undefined> {
  const { state } = player;
  const index = who % state.agents.length;
  const agent = player.agent(index);
  const { nonceTtlSec } = state.protocol.wallet;
  const linked: Fault = { why: 'a wallet is linked', status: 409 };
  const address = player.address();
  const counted = [[`wallet ${address}`, state.protocol.limits.wallet]] as const;
  const asked = await player.call({
    method: 'POST',
    path: '/agent/wallet',
    key: agent.key,
    address,
    body: { action: 'challenge' },
  });
  const revoked = agent.revoked ? [{ why: 'the key is revoked', status: 401 }] : [];
  const has = agent.wallet === null ? [] : [linked];
  if (!settle(state, asked, { faults: [...revoked, ...has], counted })) return undefined;
  equals(asked, 'ok', true);
  that(asked, 'action', 'a text', isText);
  that(asked, 'nonce', 'a text', isText);
  equals(asked, 'expires_in', nonceTtlSec);
  const fresh = String(at(asked.json, 'nonce'));
  const last = state.nonces.findLast((each) => each.used)?.nonce;
  const nonce = wrong === 'nonce' ? player.draws.hex(32) : wrong === 'last-nonce' && last !== undefined ? last : fresh;
  state.nonces.push({ nonce: fresh, agent: index, madeMs: state.nowMs, used: false });
  if (wrong === 'late') await player.advance({ ms: (nonceTtlSec + 1) * 1_000 });
  if (wrong === 'at-the-end') await player.advance({ ms: (nonceTtlSec - 1) * 1_000 });
  const wallet = player.newWallet(kind);
  const shown = kind === 'operator' ? wallet.address : wallet.publicKeyHex;
  const signer = wrong === 'other-key' ? player.newWallet(kind) : wallet;
  const about = wrong === 'other-agent' ? `0x${player.draws.hex(32)}` : agent.hash;
  const isOperator = (kind === 'operator') !== (wrong === 'other-prefix');
  const prefix = `${player.target.dialect.messagePrefix}-link-wallet${isOperator ? '-operator' : ''}`;
  const wallet_signature = player.sign(signer, `${prefix}:${nonce}:${shown}:${about}`);
  const fields =
    kind === 'operator' ? { wallet_model: 'operator', operator_wallet_address: shown } : { wallet_public_key: shown };
  return {
    request: {
      method: 'POST',
      path: '/agent/wallet',
      key: agent.key,
      address,
      body: { wallet_nonce: nonce, ...fields, wallet_signature },
    },
    judge: (now, answer) => {
      const own = now.agents[index] as AgentState;
      const entry = now.nonces.find((each) => each.nonce === nonce);
      const bad = (why: string): Fault => ({ why, status: 400 });
      const faults: Fault[] = [...keyFault(own), ...(own.wallet === null ? [] : [linked])];
      const proves = ['nothing', 'late', 'at-the-end', 'last-nonce'].includes(wrong);
      if (!proves) faults.push(bad(`the proof is wrong (${wrong})`));
      if (entry === undefined || entry.used || entry.agent !== index) faults.push(bad('the nonce cannot be used'));
      if (kind === 'operator' && !servesMode(now.protocol, 'wallet/operator'))
        faults.push(bad('the mode is switched off'));
      if (wrong === 'late') faults.push(bad('the nonce has expired'));
      if (!settle(now, answer, { faults, counted })) return;
      if (entry !== undefined) entry.used = true;
      own.wallet = wallet;
    },
  };
}

/** A wallet is linked, rightly or wrongly. */
export const linkWallet: Operation = request<Linking>(
  'wallet',
  {
    agent: place,
    kind: fc.constantFrom('self-custody', 'operator'),
    wrong: mostly('nothing', 'other-agent', 'other-key', 'other-prefix', 'nonce', 'late', 'at-the-end', 'last-nonce'),
  },
  readyLink,
);
