import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PROVENONCE_TOOLS } from '@provenonce/mcp/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../runs/host/package.js';
import { ClientLab, walletOf } from './fixtures/published-client.js';

/**
 * The published MCP server, as it is, in a process of its own, between a client of the protocol's SDK and `aips serve
 * --dialect provenonce`. Every tool of docs/interop.md.
 */
let lab: ClientLab;
let home: string;
const client = new Client({ name: 'interop', version: '1' });
beforeAll(async () => {
  lab = await ClientLab.start();
  home = mkdtempSync(join(tmpdir(), 'aips-mcp-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    PROVENONCE_REGISTRY_URL: lab.registryUrl,
    PROVENONCE_BEATS_URL: lab.beatsUrl,
  };
  const args = [join(packageRoot(), 'node_modules/@provenonce/mcp/bin/mcp.js')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
});
afterAll(async () => {
  await client.close();
  await lab.server.stop();
  rmSync(home, { recursive: true });
});

const used = new Set<string>();

/** Calls a tool: what it answers, or the text of its error. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool should answer
async function tool(name: string, given: Record<string, unknown> = {}): Promise<any> {
  used.add(name);
  const { content, isError } = await client.callTool({ name: `provenonce_${name}`, arguments: given });
  const { text } = (content as { text: string }[])[0] as { text: string };
  return isError === true ? text : JSON.parse(text);
}

const wallet = walletOf(40);
const SIGIL = { name: 'interop', principal: 'lab', identity_class: 'orchestrator', tier: 'org' };

describe('the MCP server', () => {
  it('runs every tool, in the order of a life', async () => {
    const made = await tool('register', { name: 'mcp' });
    expect(made).toMatchObject({ registered: true, depth: 0 });
    expect(await tool('register', { name: 'mcp' })).toMatchObject({ registered: false, hash: made.hash, sigil: null });
    expect(await tool('status')).toMatchObject({ hash: made.hash, status: 'registered' });
    expect(await tool('submit_beats', { count: 20 })).toMatchObject({ beats_accepted: 20, total_beats: 20 });
    expect(await tool('beats_proof', { count: 30, difficulty: 200 })).toMatchObject({
      receipt: { beats_verified: 30, difficulty: 200 },
    });

    expect(await tool('purchase_sigil', SIGIL)).toMatchObject({ payment_required: true, fee_lamports: 350_000_000 });
    const bought = async () => tool('purchase_sigil', { ...SIGIL, payment_tx: await lab.pay(wallet, 350_000_000) });
    // It registers without a wallet and links none: a plain call does.
    expect(await bought()).toContain('no linked wallet');
    await linkWallet(made.api_key, made.hash);
    expect(await bought()).toMatchObject({ ok: true, sigil: { sigil: 'interop*lab*org' } });

    expect(await tool('heartbeat')).toMatchObject({ payment_required: true, fee_lamports: 500_000 });
    expect(await tool('heartbeat', { payment_tx: await lab.pay(wallet, 500_000) })).toMatchObject({ ok: true });
    expect(await tool('get_passport')).toMatchObject({ payment_required: true, fee_lamports: 200_000 });
    const { passport } = await tool('get_passport', { payment_tx: await lab.pay(wallet, 200_000) });
    expect(passport).toMatchObject({ agent_hash: made.hash, provenonce_signature: expect.any(String) });
    expect(await tool('verify_agent', { hash: made.hash })).toMatchObject({ verified: true, standing: 'active' });

    const child = await tool('spawn', { child_name: 'kid' });
    expect(child).toMatchObject({ child_depth: 1, parent_hash: made.hash });
    expect(await tool('get_lineage', { hash: child.child_hash })).toMatchObject({
      lineage: [{ hash: child.child_hash }, { hash: made.hash }],
    });
    await lab.plain('/agent/init', {}, child.child_api_key);
    await lab.plain('/agent/sponsor', { child_hash: child.child_hash }, made.api_key);
    const children = { children: [child.child_hash] };
    expect(await tool('batch_heartbeat', children)).toMatchObject({ total_fee_lamports: 500_000 });
    expect(await tool('batch_heartbeat', { ...children, payment_tx: await lab.pay(wallet, 500_000) })).toMatchObject({
      ok: true,
      summary: { total: 1, succeeded: 1 },
    });
    expect([...used].map((name) => `provenonce_${name}`).sort()).toEqual(
      PROVENONCE_TOOLS.map(({ name }) => name).sort(),
    );
  });

  it('spawns one child alone: it computes 1,050 beats, and a second costs 1,200', async () => {
    expect(await tool('spawn', { child_name: 'second' })).toContain('1050 beats are proven, and 1200 are required');
  });
});

async function linkWallet(key: string, hash: string): Promise<void> {
  const { nonce } = (await lab.plain('/agent/wallet', { action: 'challenge' }, key)).body;
  const wallet_signature = wallet.signHex(`provenonce-link-wallet:${nonce}:${wallet.publicKeyHex}:${hash}`);
  const body = { wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature };
  expect((await lab.plain('/agent/wallet', body, key)).status).toBe(200);
}
