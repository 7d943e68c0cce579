import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeChain } from '../../reference/beats/beat.js';
import { verifyEd25519 } from '../../reference/beats/signing.js';
import type { WorkProof } from '../../spec/endpoints/proof-schemas.js';
import { aips } from '../../test/fixtures/aips.js';
import { golden } from '../../test/fixtures/golden.js';
import { referenceHere, startReferenceHere } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-beats-'));

interface Chain {
  readonly kind: string;
  readonly name: string;
  readonly genesis_hash: string;
  readonly anchor_hash: string | null;
  readonly difficulty: number;
  readonly beats: readonly { readonly hash: string }[];
}

const anchorHashOf = (index: number): string => index.toString(16).padStart(64, '0');

/** A beats service in the published forms, which tells one anchor after the other, the last for ever. */
async function publishedService(anchors: readonly number[]) {
  const left = [...anchors];
  const bounds = { min_difficulty: 100, max_difficulty: 5_000, min_spot_checks: 3, max_spot_checks: 25 };
  const nextAnchor = () => {
    const index = (left.length > 1 ? left.shift() : left[0]) ?? 0;
    return { anchor: { type: 'anchor', beat_index: index, hash: anchorHashOf(index) } };
  };
  const terms = { public_caps: { ...bounds, anchor_grace_window: 5 } };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/api/v1/beat/work-proof' ? terms : nextAnchor()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers without end, as fast as the other side reads. */
function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

describe('aips tools beats', () => {
  const chains = golden<Chain>('beats').filter(({ kind }) => kind === 'chain');
  it.each(chains.map((chain) => [chain.name, chain] as const))(
    'compute agrees with the golden chain "%s"',
    async (_name, chain) => {
      const anchor = chain.anchor_hash === null ? [] : ['--anchor-hash', chain.anchor_hash];
      const flags = [
        '--beats',
        '5',
        '--from',
        `0:${chain.genesis_hash}`,
        '--difficulty',
        String(chain.difficulty),
        ...anchor,
      ];
      const { status, stdout } = await aips(folder, 'tools', 'beats', 'compute', '--json', ...flags);
      expect(status).toBe(0);
      const { wall_s: wallSec, beats_per_s: perSec, ...end } = JSON.parse(stdout) as Record<string, unknown>;
      const { difficulty } = chain;
      expect(end).toEqual({ to_beat: 5, to_hash: chain.beats[4]?.hash, beats_computed: 5, difficulty });
      expect([wallSec, perSec]).toEqual([expect.any(Number), expect.any(Number)]);
    },
  );

  it('verify distinguishes a proof that holds from one that does not', async () => {
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
    const good = await aips(folder, 'tools', 'beats', 'verify', 'good.json', '--json');
    expect(good).toMatchObject({ status: 0, stdout: '{"valid":true}\n' });
    const bad = await aips(folder, 'tools', 'beats', 'verify', 'bad.json', '--json');
    expect(bad).toMatchObject({ status: 1, stdout: '{"valid":false,"reason":"spot_check_failed"}\n' });
    const printed = [
      (await aips(folder, 'tools', 'beats', 'verify', 'good.json')).stdout,
      (await aips(folder, 'tools', 'beats', 'verify', 'bad.json')).stdout,
    ];
    expect(printed).toEqual([
      'The proof holds: 4 beats, 4 of them shown.\n',
      'The proof does not hold: spot_check_failed.\n',
    ]);
  });

  it('proves, submits and verifies against a beats service, in both forms', async () => {
    const server = await referenceHere();
    const url = String(server.target.beatsUrl);
    try {
      const flags = ['--beats-url', url, '--beats', '300', '--difficulty', '100'];
      const proved = await aips(folder, 'tools', 'beats', 'prove', ...flags);
      expect([proved.status, proved.stderr]).toEqual([0, '']);
      const proof = JSON.parse(proved.stdout) as WorkProof;
      const indexes = proof.spot_checks.map(({ index }) => index);
      expect([indexes.length, indexes[0], indexes.at(-1), new Set(indexes).size]).toEqual([25, 1, 300, 25]);
      writeFileSync(join(folder, 'proof.json'), proved.stdout);
      const receipt = await aips(folder, 'tools', 'beats', 'submit', 'proof.json', '--beats-url', url);
      expect(receipt).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^[A-Za-z0-9_-]+\n$/) });
      const reply = await aips(folder, 'tools', 'beats', 'submit', 'proof.json', '--beats-url', url, '--json');
      expect(JSON.parse(reply.stdout)).toEqual({ ok: true, valid: true, receipt: receipt.stdout.trim() });

      const forged = { ...proof, to_hash: '0'.repeat(64) };
      writeFileSync(join(folder, 'forged.json'), JSON.stringify(forged));
      const refused = await aips(folder, 'tools', 'beats', 'submit', 'forged.json', '--beats-url', url);
      const stderr = 'The beats service refuses the proof: spot_check_failed\n';
      expect(refused).toMatchObject({ status: 1, stdout: '', stderr });

      const chain = ['--form', 'beat', '--from', `7:${'c3'.repeat(32)}`, '--json'];
      const beat = await aips(folder, 'tools', 'beats', 'prove', ...flags, ...chain);
      writeFileSync(join(folder, 'beat.json'), beat.stdout);
      expect(JSON.parse(beat.stdout)).toMatchObject({ from_beat: 7, to_beat: 307, beats_computed: 300 });
      const held = await aips(folder, 'tools', 'beats', 'verify', 'beat.json', '--difficulty', '100', '--json');
      expect(held).toMatchObject({ status: 0, stdout: '{"valid":true}\n' });
      const harder = await aips(folder, 'tools', 'beats', 'verify', 'beat.json', '--json');
      expect(harder).toMatchObject({ status: 1, stdout: '{"valid":false,"reason":"check_failed"}\n' });

      const unwanted = await aips(folder, 'tools', 'beats', 'submit', 'beat.json', '--beats-url', url);
      expect([unwanted.status, unwanted.stderr]).toEqual([
        2,
        "beat.json: this is a beat proof (for beats/submit with the agent's key); give a work proof: aips tools beats prove --form work.\n",
      ]);

      for (const base of [`${url}/`, `${url}/api/v1`, `${url}/api/v1/`]) {
        const again = await aips(folder, 'tools', 'beats', 'submit', 'proof.json', '--beats-url', base);
        expect(again).toMatchObject({ status: 0, stdout: receipt.stdout });
      }

      for (const [wrong, message] of [
        [[url, '--difficulty', '50'], '--difficulty must be 100 to 5000: the beats service takes no other.'],
        [[`${url}/nowhere`], 'no endpoint has this path. Is this the URL of a beats service?'],
      ] as const) {
        const { status, stderr: said } = await aips(
          folder,
          'tools',
          'beats',
          'prove',
          '--beats',
          '3',
          '--beats-url',
          ...wrong,
        );
        expect([status, said]).toEqual([2, expect.stringContaining(message)]);
      }
    } finally {
      await server.stop();
    }
  });

  it('proves for the published service, whose replies have no ok and whose receipts are objects', async () => {
    const server = await startReferenceHere(undefined, 'provenonce');
    const url = server.beatsUrl;
    try {
      const proved = await aips(
        folder,
        'tools',
        'beats',
        'prove',
        '--beats-url',
        url,
        '--beats',
        '30',
        '--difficulty',
        '100',
      );
      expect([proved.status, proved.stderr]).toEqual([0, '']);
      writeFileSync(join(folder, 'published.json'), proved.stdout);
      const taken = await aips(folder, 'tools', 'beats', 'submit', 'published.json', '--beats-url', url);
      expect([taken.status, taken.stderr]).toEqual([0, '']);
      expect(JSON.parse(taken.stdout)).toMatchObject({ type: 'work_proof', beats_verified: 30, difficulty: 100 });
      const reply = await aips(folder, 'tools', 'beats', 'submit', 'published.json', '--beats-url', url, '--json');
      expect(Object.keys(JSON.parse(reply.stdout) as object).toSorted()).toEqual(['receipt', 'valid']);
      const proof = JSON.parse(proved.stdout) as WorkProof;
      writeFileSync(join(folder, 'short.json'), JSON.stringify({ ...proof, beats_computed: 2 }));
      const refused = await aips(folder, 'tools', 'beats', 'submit', 'short.json', '--beats-url', url);
      expect([refused.status, refused.stderr]).toEqual([1, 'The beats service refuses the proof: count_mismatch\n']);
    } finally {
      await server.close();
    }
  });

  it.each([
    [[0, 5], 0, []],
    [[0, 6, 11], 6, [0]],
    [[0, 6, 12, 17], 12, [0, 6]],
  ])('proves again while the anchor went by: of anchors %j it weaves %i', async (told, woven, gone) => {
    const service = await publishedService(told);
    const flags = ['--beats-url', service.url, '--beats', '4', '--difficulty', '100'];
    try {
      const { status, stdout, stderr } = await aips(folder, 'tools', 'beats', 'prove', ...flags);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ anchor_index: woven, anchor_hash: anchorHashOf(woven) });
      const again = gone.map((index) => `Anchor ${index} went by while the beats were computed`);
      expect(stderr.split('\n').filter((line) => line !== '')).toEqual(
        again.map((line) => expect.stringContaining(line) as string),
      );
    } finally {
      await service.close();
    }
  });

  it('gives up on beats that take longer than their anchor is taken', async () => {
    const service = await publishedService([0, 6, 12, 18]);
    try {
      const flags = ['--beats-url', service.url, '--beats', '4', '--difficulty', '100'];
      const { status, stdout, stderr } = await aips(folder, 'tools', 'beats', 'prove', ...flags);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Prove fewer beats at a time.');
    } finally {
      await service.close();
    }
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['sends without end', (response) => endless(response), /longer than 1048576 bytes/],
    [
      'nests without end',
      (response) => response.end(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      /is not JSON/,
    ],
    [
      'leads elsewhere',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end('{}'),
      /leads to http:\/\/127\.0\.0\.1:9/,
    ],
    [
      'writes to the terminal',
      (response) => response.end('{"error":"\\u001b[2J\\u009b1m\\u202e"}'),
      /␛\[2J\[U\+009B\]1m\[U\+202E\]/,
    ],
  ])('ends in a sentence when the service %s', async (_what, answer, said) => {
    const server = createServer((_request, response) => answer(response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { status, stderr } = await aips(folder, 'tools', 'beats', 'prove', '--beats-url', url, '--beats', '1');
      expect(stderr).toMatch(said);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts on them
      expect([status, stderr]).toEqual([2, expect.not.stringMatching(/[\u001b\u009b\u202e]|\n\s+at /)]);
    } finally {
      server.close().closeAllConnections();
    }
  });

  it.each([
    [['beats'], 'Say what to do: compute, prove, submit or verify.'],
    [['beats', 'compute'], 'Missing required argument: beats'],
    [['beats', 'compute', '--beats', '0'], '--beats must be a whole number, 1 or more'],
    [['beats', 'compute', '--beats', '1', '--anchor-hash', 'AB'], '--anchor-hash must be 64 lower-case hex characters'],
    [['beats', 'verify', 'package.json'], 'package.json: there is no such proof'],
    [['beats', 'compute', '--beats', '1', '--from', '0:xyz'], '--from must be 64 lower-case hex characters'],
    [['beats', 'prove', '--beats', '1', '--beats-url', 'nowhere'], 'nowhere/api/v1/beat/work-proof is not a URL'],
    [['beats', 'prove', '--beats', '1', '--beats-url', 'http://127.0.0.1:9'], 'Is the server running?'],
    [['beats', 'submit', 'none.json', '--beats-url', 'http://127.0.0.1:9'], 'none.json: there is no such proof'],
    [['beats', 'submit', 'x', '--beats-url', 'http://a', '--beats-url', 'http://b'], '--beats-url'],
    [['wallet', 'sign', 'none.json', 'x'], 'none.json: there is no such wallet file'],
  ])('%j is refused with what to do', async (args, message) => {
    const { status, stderr } = await aips(folder, 'tools', ...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});

describe('aips tools wallet', () => {
  it('makes a wallet that signs, and never writes one over', async () => {
    const made = await aips(folder, 'tools', 'wallet', 'new', 'wallet.json');
    const wallet = JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8')) as Record<string, string>;
    expect(made).toMatchObject({ status: 0, stdout: `${wallet['address']}\n` });
    const { stdout } = await aips(folder, 'tools', 'wallet', 'sign', 'wallet.json', 'service-register:n:k:Ädå');
    expect(verifyEd25519(String(wallet['public_key_hex']), 'service-register:n:k:Ädå', stdout.trim())).toBe(true);
    const again = await aips(folder, 'tools', 'wallet', 'new', 'wallet.json');
    expect(again).toMatchObject({
      status: 2,
      stderr: 'wallet.json: exists already, and a wallet is never overwritten. Choose another file.\n',
    });
    expect(JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8'))).toEqual(wallet);
  });
});
