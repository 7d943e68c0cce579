import { describe, expect, it, vi } from 'vitest';
import { conform } from '../conformance/run/runner.js';

/** A module of the reference, and replacements of some of its exports. */
interface Planted {
  readonly module: string;
  readonly with: (original: Record<string, unknown>) => Record<string, unknown>;
}

const faults: Readonly<Record<string, Planted & { readonly caughtBy: readonly string[] }>> = {
  'a spawn cost in floating point': {
    module: '../reference/registry/spawn-cost.js',
    with: () => ({
      spawnCostBeats: (_protocol: unknown, depth: number, siblings: number) =>
        Math.floor(Math.floor(1_000 * 1.5 ** depth) * 1.2 ** siblings),
    }),
    caughtBy: ['spawn/cost-depth-and-siblings', 'spawn/cost-siblings'],
  },
  'a window that starts at the full hour': {
    module: '../reference/http/request/rate-limit.js',
    with: (original) => ({
      countInBucket: (limiter: object, bucket: string, limit: { windowSec: number }, nowMs: number): number => {
        const windowMs = limit.windowSec * 1_000;
        const begun = nowMs - (nowMs % windowMs);
        const take = original['countInBucket'] as (...args: unknown[]) => number;
        const full = take(limiter, `${bucket} ${begun}`, limit, nowMs);
        return full === 0 ? 0 : begun + windowMs - nowMs;
      },
    }),
    caughtBy: ['sigil/limit', 'spawn/limit'],
  },
  'a Retry-After one second short': {
    module: '../reference/http/request/rate-limit.js',
    with: (original) => ({
      countInBucket: (...args: unknown[]): number =>
        Math.max(0, (original['countInBucket'] as (...of: unknown[]) => number)(...args) - 1_000),
    }),
    caughtBy: ['sigil/limit', 'spawn/limit'],
  },
  'a passport signed in alphabetical key order': {
    module: '../reference/registry/passport.js',
    with: (original) => ({
      signPassport: (
        registry: object,
        agent: number,
        authority: { keyId: string; signHex: (text: string) => string },
        nowMs: number,
      ) => {
        const sorted = (text: string): string =>
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toSorted(([a], [b]) => (a < b ? -1 : 1))));
        const sign = original['signPassport'] as (...args: unknown[]) => unknown;
        return sign(
          registry,
          agent,
          { keyId: authority.keyId, signHex: (text: string) => authority.signHex(sorted(text)) },
          nowMs,
        );
      },
    }),
    caughtBy: ['heartbeat/own-wallet', 'passport/reply'],
  },
  'a fee tier that ends before heartbeat 100': {
    module: '../reference/registry/fees.js',
    with: () => ({ heartbeatTier: (_protocol: unknown, nth: number) => (nth < 100 ? 1 : nth <= 1_000 ? 2 : 3) }),
    caughtBy: ['heartbeat/tiers-and-caps'],
  },
};

describe('a server with', () => {
  it.each(Object.entries(faults))('%s is found', async (_what, { module, with: change, caughtBy }) => {
    vi.resetModules();
    vi.doMock(module, async (importOriginal) => {
      const original = await importOriginal<Record<string, unknown>>();
      return { ...original, ...change(original) };
    });
    const { startReferenceHere, targetOf } = await import('./fixtures/target.js');
    const server = await startReferenceHere();
    try {
      const options = { seed: 1, only: caughtBy, strict: true, toolVersion: 'test', nowWallMs: Date.now };
      const { checks, exit_status } = await conform(targetOf(server), options);
      expect(Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]))).toEqual(
        Object.fromEntries(caughtBy.map((id) => [id, 'fail'])),
      );
      expect(exit_status).toBe(1);
    } finally {
      await server.close();
      vi.doUnmock(module);
      vi.resetModules();
    }
  });
});
