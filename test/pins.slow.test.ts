// A server with any one number of the protocol off by one fails the check that pins the number.
import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { pins } from '../conformance/judge/pins.js';
import { conform } from '../conformance/run/runner.js';
import type { CheckResult } from '../reports/conformance-result.js';
import { brokenRelations, overlayOf, withOverlay } from '../spec/overlay.js';
import { protocolNumbers } from '../spec/protocol.js';
import { lighter, startReferenceHere, targetOf } from './fixtures/target.js';

/** What suite and server agree about; these numbers are pinned too. */
const judging = withOverlay(lighter);

/** Judges a server, of which one number is off by one, by one check of the suite, which does not know. */
async function judgeChanged(path: string, value: number, check: string, strict: readonly boolean[]): Promise<Judged[]> {
  const changed = withOverlay(overlayOf(path, value), judging);
  expect(brokenRelations(changed)).toEqual([]);
  const kind = allChecks.find(({ id }) => id === check)?.needs.includes('webhooks') ? 'webhooks' : 'devnet';
  return Promise.all(
    strict.map(async (each) => {
      const server = await startReferenceHere(changed, kind);
      try {
        const options = { seed: 1, only: [check], strict: each, toolVersion: 'test', nowWallMs: Date.now };
        const { checks, exit_status } = await conform(targetOf(server, kind, lighter), options);
        return { result: checks[0] as CheckResult, exitStatus: exit_status };
      } finally {
        await server.close();
      }
    }),
  );
}

interface Judged {
  readonly result: CheckResult;
  readonly exitStatus: number;
}

const numbers = protocolNumbers();

it('every number of the protocol is pinned by a check', () => {
  expect(Object.keys(pins).toSorted()).toEqual(numbers.map(({ path }) => path).toSorted());
});

describe('a server with one number off by one fails the check that pins the number', () => {
  const pinned = protocolNumbers(judging).flatMap(({ path, value }) => {
    const pin = pins[path];
    return pin === undefined ? [] : [{ path, value, ...pin }];
  });

  it.each(pinned.map((pin) => [pin.path, pin] as const))('%s', async (_path, { path, value, check, advisory }) => {
    // What only a decision fixes is reported, and fails a run when decisions bind.
    const strict = advisory === true ? [true, false] : [false];
    const [{ result, exitStatus } = never(), lenient] = await judgeChanged(path, value + 1, check, strict);
    expect(result).toMatchObject({ id: check, verdict: 'fail' });
    expect(exitStatus).toBe(1);
    if (result.verdict !== 'fail') throw new Error('no mismatch');
    expect(result.clauses.length).toBeGreaterThan(0);
    expect(result.expected).not.toBe(result.actual);
    if (lenient === undefined) return;
    expect(lenient).toMatchObject({ result: { id: check, verdict: 'advisory' }, exitStatus: 0 });
  });
});

function never(): never {
  throw new Error('nothing was judged');
}
