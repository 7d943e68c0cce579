/** Rows for the numbers of names, keys, nonces and texts: how each shows on the wire. */

import { signingKey } from '../../reference/beats/signing.js';
import { answerOf, type Lab } from './lab.js';
import { lasts, least, most, type Row, told } from './row.js';

const text = (chars: number): string => 'a'.repeat(chars);
const bytesOfHex = (hex: string): number => hex.length / 2;

async function named(lab: Lab, chars: number): Promise<string> {
  return answerOf(await lab.call('POST /register', { name: text(chars) }));
}

/** Metadata that is so many bytes as JSON. */
async function described(lab: Lab, bytes: number): Promise<string> {
  const metadata = { note: text(bytes - '{"note":""}'.length) };
  return answerOf(await lab.call('POST /register', { name: 'described', metadata }));
}

/** Registers with a wallet so long after its nonce was asked for. */
async function walletAfter(lab: Lab, ms: number): Promise<string> {
  const wallet = signingKey(Buffer.alloc(32, 'late wallet'));
  const name = 'late';
  const { nonce } = await lab.done('POST /register', { name, action: 'challenge' });
  await lab.advance(ms);
  const wallet_signature = wallet.signHex(`service-register:${nonce}:${wallet.publicKeyHex}:${name}`);
  const signed = { name, wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature };
  return answerOf(await lab.call('POST /register', signed));
}

/** Registers with a token so long after it was issued. */
async function tokenAfter(lab: Lab, ms: number): Promise<string> {
  const { token } = await lab.done('POST /register/token', {});
  await lab.advance(ms);
  const headers = { 'x-registration-token': token };
  return answerOf(await lab.call('POST /register', { name: 'late' }, undefined, headers));
}

/** Links a wallet so long after its nonce was asked for. */
async function linkAfter(lab: Lab, ms: number): Promise<string> {
  const { hash, key } = await lab.plain();
  const wallet = signingKey(Buffer.alloc(32, 'linked wallet'));
  const { nonce } = await lab.done('POST /agent/wallet', { action: 'challenge' }, key);
  await lab.advance(ms);
  const wallet_signature = wallet.signHex(`service-link-wallet:${nonce}:${wallet.publicKeyHex}:${hash}`);
  const signed = { wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature };
  return answerOf(await lab.call('POST /agent/wallet', signed, key));
}

/** Sends a key of so many bytes that signed nothing: one of the right size gets as far as its signature. */
async function keyOf(lab: Lab, bytes: number): Promise<string> {
  const { key } = await lab.plain();
  const { nonce } = await lab.done('POST /agent/wallet', { action: 'challenge' }, key);
  const signed = { wallet_nonce: nonce, wallet_public_key: 'ab'.repeat(bytes), wallet_signature: '00'.repeat(64) };
  return answerOf(await lab.call('POST /agent/wallet', signed, key));
}

/** Looks for a hash of so many bytes; for an agent's own when it has that size. */
async function lookUp(lab: Lab, bytes: number): Promise<string> {
  const { hash } = await lab.plain();
  const same = bytesOfHex(hash.slice(2)) === bytes;
  return answerOf(await lab.call(`GET /verify/${same ? hash : `0x${'ab'.repeat(bytes)}`}`));
}

/** A SIGIL with a principal or a name of so many characters. */
async function sigilWith(lab: Lab, extra: object): Promise<string> {
  return answerOf(await lab.buySigil(await lab.agent(), 'narrow_task', 50_000_000, extra));
}

async function changed(lab: Lab, fields: object): Promise<string> {
  const { key } = await lab.sigilAgent();
  return answerOf(await lab.call('PATCH /agent/metadata', fields, key));
}

const invalid = { outside: '400 VALIDATION' } as const;

/** Names, keys, nonces and texts of an agent. */
export const identityRows: readonly Row[] = [
  {
    path: 'agent.hashBytes',
    spec: 32,
    changed: [31, 33],
    edge: (n) => [
      [n - 1, '400 INVALID_HASH'],
      [n, 'ok'],
      [n + 1, '400 INVALID_HASH'],
    ],
    ask: lookUp,
  },
  least('agent.nameCharsMin', 1, { ask: named, ...invalid }),
  most('agent.nameCharsMax', 64, { ask: named, ...invalid }),
  told('agent.rootDepth', 0, async (lab) => (await lab.done('POST /register', { name: 'root' })).depth),
  told('agent.secretBytes', 32, async (lab) => bytesOfHex((await lab.done('POST /register', { name: 'x' })).secret)),

  most('registration.metadataBytesMax', 4_096, { ask: described, ...invalid }),
  told('registration.nonceBytes', 32, async (lab) =>
    bytesOfHex((await lab.done('POST /register', { name: 'x', action: 'challenge' })).nonce),
  ),
  lasts('registration.nonceTtlSec', 300, { ask: walletAfter, outside: '400 NONCE_INVALID' }),
  told('registration.tokenBytes', 32, async (lab) => bytesOfHex((await lab.done('POST /register/token', {})).token)),
  lasts('registration.tokenTtlSec', 300, { ask: tokenAfter, outside: '401 AUTH_INVALID' }),

  told('wallet.nonceBytes', 32, async (lab) => {
    const { key } = await lab.plain();
    return bytesOfHex((await lab.done('POST /agent/wallet', { action: 'challenge' }, key)).nonce);
  }),
  lasts('wallet.nonceTtlSec', 300, { ask: linkAfter, outside: '400 NONCE_INVALID' }),
  {
    path: 'wallet.publicKeyBytes',
    spec: 32,
    changed: [31, 33],
    edge: (n) => [
      [n - 1, '400 VALIDATION'],
      [n, '400 SIGNATURE_INVALID'],
      [n + 1, '400 VALIDATION'],
    ],
    ask: keyOf,
  },

  most('sigil.principalCharsMax', 24, { ask: (lab, chars) => sigilWith(lab, { principal: text(chars) }), ...invalid }),
  most('sigil.nameCharsMax', 48, { ask: (lab, chars) => sigilWith(lab, { name: text(chars) }), ...invalid }),
  told('sigil.autoNameBytes', 4, async (lab) => {
    const { body } = await lab.buySigil(await lab.agent(), 'narrow_task', 50_000_000);
    return bytesOfHex(body.sigil.sigil_name.slice('auto-'.length));
  }),

  least('metadata.textCharsMin', 1, {
    ask: (lab, chars) => changed(lab, { substrate_model: text(chars) }),
    ...invalid,
  }),
  most('metadata.textCharsMax', 256, {
    ask: (lab, chars) => changed(lab, { capability_scope: text(chars) }),
    ...invalid,
  }),
  most('metadata.toolsMax', 32, {
    ask: (lab, count) => changed(lab, { tools: Array(count).fill('hammer') }),
    ...invalid,
  }),
  most('metadata.toolCharsMax', 64, { ask: (lab, chars) => changed(lab, { tools: [text(chars)] }), ...invalid }),
  most('metadata.modalityWordsMax', 16, {
    ask: (lab, count) => changed(lab, { modality_input: Array(count).fill('text') }),
    ...invalid,
  }),
  most('metadata.modalityCharsMax', 32, {
    ask: (lab, chars) => changed(lab, { modality_output: [text(chars)] }),
    ...invalid,
  }),
  told(
    'metadata.generationStart',
    1,
    async (lab) => {
      const { hash, key } = await lab.sigilAgent();
      const { sigil } = await lab.done(`GET /verify/${hash}`);
      const { generation } = await lab.done('PATCH /agent/metadata', { generation_trigger: 'new weights' }, key);
      return { first: sigil.generation, next: generation };
    },
    { as: (n) => ({ first: n, next: n + 1 }) },
  ),
];
