// Each check passes alone, with the run's own probes before it: `aips conform explain` and a failed report tell users to run one.
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';

it('a check that runs alone passes, or is not tested', async () => {
  const load = await loadReference();
  const wrong: string[] = [];
  for (const { id } of allChecks) {
    const server = startInProcess(load, { seed: 1 });
    try {
      const { checks } = await conform(server.target, {
        ...{ seed: 1, toolVersion: 'test', nowWallMs: Date.now, transport: server.send, only: [id], strict: true },
      });
      for (const { id: found, verdict } of checks)
        if (verdict !== 'pass' && verdict !== 'not-tested') wrong.push(`${found}: ${verdict}`);
    } finally {
      await server.close();
    }
  }
  expect(wrong).toEqual([]);
});
