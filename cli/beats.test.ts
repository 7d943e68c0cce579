import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeChain } from '../reference/beats/beat.js';
import { verifyEd25519 } from '../reference/beats/signing.js';
import { aips } from '../test/fixtures/aips.js';
import { golden } from '../test/fixtures/golden.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-beats-'));

interface Chain {
  readonly kind: string;
  readonly name: string;
  readonly genesis_hash: string;
  readonly anchor_hash: string | null;
  readonly difficulty: number;
  readonly beats: readonly { readonly hash: string }[];
}

describe('aips beats', () => {
  const chains = golden<Chain>('beats').filter(({ kind }) => kind === 'chain');
  it.each(chains.map((chain) => [chain.name, chain] as const))(
    'compute agrees with the golden chain "%s"',
    (_name, chain) => {
      const anchor = chain.anchor_hash === null ? [] : ['--anchor-hash', chain.anchor_hash];
      const flags = [
        '--beats',
        '5',
        '--from-hash',
        chain.genesis_hash,
        '--difficulty',
        String(chain.difficulty),
        ...anchor,
      ];
      const { status, stdout } = aips(folder, 'beats', 'compute', ...flags);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ to_beat: 5, to_hash: chain.beats[4]?.hash, beats_computed: 5 });
    },
  );

  it('verify tells a proof that holds from one that does not', () => {
    const fromHash = '0'.repeat(64);
    const anchorHash = 'ab'.repeat(32);
    const run = { fromHash, fromIndex: 0, beats: 4, difficulty: 100, anchorHash, keep: { every: 1 } } as const;
    const { toHash, spotChecks } = computeChain(run);
    const proof = {
      from_hash: fromHash,
      to_hash: toHash,
      beats_computed: 4,
      difficulty: 100,
      anchor_hash: anchorHash,
      anchor_index: 0,
      spot_checks: spotChecks,
    };
    writeFileSync(join(folder, 'good.json'), JSON.stringify(proof));
    writeFileSync(join(folder, 'bad.json'), JSON.stringify({ ...proof, difficulty: 101 }));
    expect(aips(folder, 'beats', 'verify', 'good.json')).toMatchObject({ status: 0, stdout: '{"valid":true}\n' });
    const bad = aips(folder, 'beats', 'verify', 'bad.json');
    expect(bad).toMatchObject({ status: 1, stdout: '{"valid":false,"reason":"spot_check_failed"}\n' });
  });

  it.each([
    [['beats'], 'Say what to do: compute, prove, submit or verify.'],
    [['beats', 'compute'], 'Missing required argument: beats'],
    [['beats', 'compute', '--beats', '0'], '--beats must be a whole number'],
    [['beats', 'compute', '--beats', '1', '--from-hash', 'xyz'], '--from-hash must be 64 lower-case hex characters'],
    [['beats', 'prove', '--beats', '1', '--beats-url', 'nowhere'], 'nowhere/api/v1/beat/anchor is not a URL'],
    [['beats', 'prove', '--beats', '1', '--beats-url', 'http://127.0.0.1:9'], 'Is the server running?'],
    [['beats', 'submit', 'none.json', '--beats-url', 'http://127.0.0.1:9'], 'none.json: there is no such work proof'],
    [['wallet', 'sign', 'x', '--key', 'none.json'], 'none.json: there is no such wallet file'],
  ])('%j is refused with what to do', (args, message) => {
    const { status, stderr } = aips(folder, ...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});

describe('aips wallet', () => {
  it('makes a wallet that signs, and never writes one over', () => {
    const made = aips(folder, 'wallet', 'new', '--out', 'wallet.json');
    const wallet = JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8')) as Record<string, string>;
    expect(made).toMatchObject({ status: 0, stdout: `${wallet['address']}\n` });
    const { stdout } = aips(folder, 'wallet', 'sign', 'service-register:n:k:Ädå', '--key', 'wallet.json');
    expect(verifyEd25519(String(wallet['public_key_hex']), 'service-register:n:k:Ädå', stdout.trim())).toBe(true);
    const again = aips(folder, 'wallet', 'new', '--out', 'wallet.json');
    expect(again).toMatchObject({
      status: 2,
      stderr: 'wallet.json: is there already, and a wallet is never written over.\n',
    });
    expect(JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8'))).toEqual(wallet);
  });
});
