// A Dead Man's Switch that freezes late: as a cron does, which 3.1 permits, and by a threshold that is too high.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import type * as wheelModule from '../reference/registry/columns/wheel.js';
import type { ConformanceResult } from '../results/conformance-result.js';

/** When an agent is frozen that is due at an anchor. */
const freezes = vi.hoisted(() => ({ at: (due: number): number => due }));

vi.mock('../reference/registry/columns/wheel.js', async (original) => {
  const wheel = await original<typeof wheelModule>();
  type Wheel = Parameters<typeof wheel.schedule>[0];
  const waiting = new WeakMap<Wheel, { readonly row: number; readonly at: number }[]>();
  const schedule: typeof wheel.schedule = (of, row, due) => {
    waiting.set(of, [...(waiting.get(of) ?? []), { row, at: freezes.at(due) }]);
  };
  const takeDue: typeof wheel.takeDue = (of, now) => {
    const all = waiting.get(of) ?? [];
    waiting.set(
      of,
      all.filter(({ at }) => at > now),
    );
    for (const { row, at } of all) if (at <= now) wheel.schedule(of, row, now, now - 1);
    return wheel.takeDue(of, now);
  };
  return { ...wheel, schedule, takeDue };
});

afterEach(() => {
  freezes.at = (due) => due;
});

const ABOUT = /^(dms|resync|sponsor|flag|reissue-proof|spawn)\/|^auth\/resync|^heartbeat\/after-|\/frozen$/;

/** The verdict of the checks that wait for a freeze. */
async function judged(about = ABOUT): Promise<ConformanceResult> {
  const checks = allChecks.filter(({ id, requests, exclusive }) => about.test(id) && requests <= 100 && !exclusive);
  const server = startInProcess(await loadReference(), { seed: 1, numbers: cheap });
  try {
    const options = { seed: 1, toolVersion: 'test', nowWallMs: Date.now, checks, unprobed: true };
    return await conform(server.target, { ...options, transport: server.send });
  } finally {
    await server.close();
  }
}

const failures = ({ findings }: ConformanceResult) =>
  findings
    .filter(({ level }) => level === 'must')
    .map(({ id, expected, actual, checks }) => ({ id, expected, actual, checks }));

describe('[dms.freeze] a freeze that comes late', () => {
  it('is permitted to a cron that runs every 10 anchors', async () => {
    freezes.at = (due) => Math.ceil(due / 10) * 10;
    const result = await judged();
    expect(failures(result)).toEqual([]);
    expect(result.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    const states = new Map(result.clauses.map(({ id, state }) => [id, state]));
    for (const id of ['dms.freeze', 'constant.dms-threshold', 'resync.penalty', 'sponsor.transition.frozen.child'])
      expect(states.get(id), id).toBe('holds');
  });

  it.each([1, 4])('is a fault where everybody may miss %i anchors more', async (more) => {
    freezes.at = (due) => due + more;
    const result = await judged(/^dms\/after-heartbeat$/);
    expect(failures(result).flatMap(({ checks }) => checks)).toContain('dms/after-heartbeat');
    expect(result.clauses.find(({ id }) => id === 'dms.freeze')?.state).toBe('fails');
  });
});
