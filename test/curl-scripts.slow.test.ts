// The scripts of a report, run as they are: on the server with the planted mistake they show it again and again, on a right one they do not.
import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import { curlScript } from '../reports/conformance/curl.js';
import type { Exchange } from '../results/conformance-result.js';
import { dialects } from '../spec/dialect.js';
import { type Overlay, withOverlay } from '../spec/overlay.js';
import { startReferenceHere, targetOf } from './fixtures/target.js';

type Server = Awaited<ReturnType<typeof startReferenceHere>>;

/** A service with one thing wrong: other numbers than the specification's, or another text that wallets have to sign. */
const start = (numbers: Overlay = {}, messagePrefix = dialects.service.messagePrefix): Promise<Server> =>
  startReferenceHere(withOverlay(numbers), 'devnet', undefined, { ...dialects.service, messagePrefix });

/** The transcript of a check that fails. */
async function failing(server: Server, check: string): Promise<readonly Exchange[]> {
  const options = { seed: 1, toolVersion: 'test', nowWallMs: Date.now, only: [check] };
  const [found] = (await conform(targetOf(server), options)).checks.filter(({ verdict }) => verdict === 'fail');
  return found?.transcript ?? [];
}

/** The statuses of what a script's requests get from a server. */
async function played(script: string, from: Server, on: Server): Promise<readonly number[]> {
  const moved = (['baseUrl', 'beatsUrl', 'controlUrl'] as const).reduce(
    (text, url) => text.replaceAll(from[url], on[url]),
    script,
  );
  const env = {
    ...process.env,
    AIPS: 'node dist/cli/aips.js',
    CONTROL_URL: on.controlUrl,
    CONTROL_TOKEN: on.controlToken,
  };
  const output = await new Promise<string>((ended, failed) => {
    execFile('sh', ['-c', moved], { env }, (error, stdout, stderr) =>
      error === null && stderr === '' ? ended(stdout) : failed(new Error(`${error} ${stderr}`)),
    );
  });
  return [...output.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}

describe('the script of a finding', () => {
  it.each([
    [
      'a wrong fee',
      'heartbeat/own-wallet',
      'heartbeat',
      400,
      200,
      () => start({ heartbeat: { tier1FeeLamports: 600_000 } }),
    ],
    ['a wrongly refused signature', 'register/self-custody', 'register', 400, 200, () => start({}, 'other')],
    ['a wrongly refused signature', 'register/ethereum', 'register', 400, 200, () => start({}, 'other')],
    [
      'a heartbeat too soon',
      'heartbeat/too-soon',
      'heartbeat',
      200,
      429,
      () => start({ heartbeat: { intervalBeatsMin: 5 } }),
    ],
  ] as const)('shows %s whenever it is run: %s', async (_, check, endpoint, wrong, right, planted) => {
    const [server, good] = await Promise.all([planted(), start()]);
    try {
      const transcript = await failing(server, check);
      const script = curlScript(transcript);
      expect(script).toMatch(/^# Made again: .* As recorded: all else\.\n/);
      const pays = script.includes('/ledger/transfers');
      expect(script.includes('/api/v1/fees/summary payment_address)')).toBe(pays);
      const recorded = transcript.map(({ response }) => response?.status ?? 0);
      expect(await played(script, server, server)).toEqual(recorded);
      expect(await played(script, server, server)).toEqual(recorded);
      const differing = (await played(script, server, good)).flatMap((status, at) =>
        status === recorded[at] ? [] : [[transcript[at]?.request.url.split('/').at(-1), recorded[at], status]],
      );
      expect(differing[0]).toEqual([endpoint, wrong, right]);
    } finally {
      await Promise.all([server.close(), good.close()]);
    }
  });
});
