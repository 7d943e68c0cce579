// Numbers that the suite takes from the text whatever a target file states, so that only these tests show that the server obeys them.
import { expect, it } from 'vitest';
import type { Overlay } from '../../../spec/overlay.js';
import { Deployment } from '../../../test/fixtures/http.js';

/** `ok`, or status and code, of each call in its order. */
async function answers(overlay: Overlay, ask: (deployment: Deployment) => Promise<unknown[]>): Promise<unknown[]> {
  const deployment = await Deployment.start({ overlay });
  try {
    return await ask(deployment);
  } finally {
    await deployment.close();
  }
}

async function answerTo({ wire }: Deployment, name: string, body?: unknown, key?: string): Promise<string> {
  const reply = await wire.call(name, body, key);
  return reply.status < 300 ? 'ok' : `${reply.status} ${reply.body.code}`;
}

async function root({ wire }: Deployment): Promise<{ hash: string; api_key: string; depth: number }> {
  return (await wire.call('POST /register', { name: 'root' })).body;
}

it('an agent hash has agent.hashBytes', async () => {
  const asked = await answers({ agent: { hashBytes: 31 } }, async (deployment) => {
    const { hash } = await root(deployment);
    expect(hash).toMatch(/^0x[0-9a-f]{62}$/);
    const lookUp = (other: string) => answerTo(deployment, `GET /verify/${other}`);
    return [await lookUp(hash), await lookUp(`${hash}ab`), await lookUp(hash.slice(0, -2))];
  });
  expect(asked).toEqual(['ok', '400 INVALID_HASH', '400 INVALID_HASH']);
});

it.each([
  [{ nameCharsMin: 0 }, '', 'ok'],
  [{ nameCharsMin: 2 }, 'a', '400 VALIDATION'],
  [{ nameCharsMin: 2 }, 'ab', 'ok'],
])('with %o a root of the name %j is answered %s', async (agent, name, expected) => {
  const asked = await answers({ agent }, async (deployment) => [
    await answerTo(deployment, 'POST /register', { name }),
  ]);
  expect(asked).toEqual([expected]);
});

it.each([
  [{ rootDepth: 1 }, '402 RECEIPT_REQUIRED'],
  [{ rootDepth: 1, depthMax: 1 }, '400 VALIDATION'],
  [{ rootDepth: 1, depthMax: 2 }, '402 RECEIPT_REQUIRED'],
])('with %o a root may spawn: %s', async (agent, expected) => {
  const asked = await answers({ agent }, async (deployment) => {
    const { api_key, depth } = await root(deployment);
    return [depth, await answerTo(deployment, 'POST /agent/spawn', { child_name: 'child' }, api_key)];
  });
  expect(asked).toEqual([1, expected]);
});

it('a wallet key has wallet.publicKeyBytes: then only its signature is wrong', async () => {
  const asked = await answers({ wallet: { publicKeyBytes: 33 } }, async (deployment) => {
    const { api_key } = await root(deployment);
    const link = async (bytes: number): Promise<string> => {
      const { nonce } = (await deployment.wire.call('POST /agent/wallet', { action: 'challenge' }, api_key)).body;
      const signed = { wallet_nonce: nonce, wallet_public_key: 'ab'.repeat(bytes), wallet_signature: '00'.repeat(64) };
      return answerTo(deployment, 'POST /agent/wallet', signed, api_key);
    };
    return [await link(32), await link(33), await link(34)];
  });
  expect(asked).toEqual(['400 VALIDATION', '400 SIGNATURE_INVALID', '400 VALIDATION']);
});

it.each([
  [0, 0, 'ok'],
  [2, 1, '400 INVALID_INPUT'],
  [2, 2, 'ok'],
])('with verifyBatch.hashesMin of %i, %i hashes are answered %s', async (hashesMin, size, expected) => {
  const hashes = Array<string>(size).fill(`0x${'ab'.repeat(32)}`);
  const asked = await answers({ verifyBatch: { hashesMin } }, async (deployment) => [
    await answerTo(deployment, 'POST /verify/batch', { hashes }),
  ]);
  expect(asked).toEqual([expected]);
});
