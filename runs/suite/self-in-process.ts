/**
 * Judges the reference in this process by some checks, in each of its deployments: without sockets and with cheap beats, so that
 * a change is judged in seconds. Every check, over HTTP and with the beats of the specification, is `judgeSelf`.
 */

import { setImmediate } from 'node:timers/promises';
import { allChecks } from '../../conformance/checks/index.js';
import { CHEAP, deploymentNames, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { dialects } from '../../spec/dialect.js';
import { mergedOverlay, type Overlay, withOverlay } from '../../spec/overlay.js';
import type { Judge, SelfRecords } from './self.js';

/** A change of what beats cost keeps its own beats. */
const numbersUnder = (overlay: Overlay): Overlay =>
  overlay.beat === undefined && overlay.work === undefined ? mergedOverlay(CHEAP, overlay) : overlay;

/** The records of the checks `ids` of the dialect service under a change, each by the first deployment that can judge it. */
export async function judgeSelfInProcess(
  ids: readonly string[],
  overlay: Overlay,
  { options, judge }: { readonly options: ConformOptions; readonly judge: Judge },
): Promise<SelfRecords> {
  const modules = await loadReference();
  const numbers = withOverlay(numbersUnder(overlay));
  const served = new Set(checksIn(allChecks, dialects.service).map(({ id }) => id));
  const judged = new Set<string>();
  const records: RunRecord[] = [];
  for (const deployment of deploymentNames) {
    const only = ids.filter((id) => served.has(id) && !judged.has(id));
    if (only.length === 0) break;
    const { target, send, close } = startInProcess(modules, { seed: options.seed, numbers, deployment });
    try {
      const transport: typeof send = async (...request) => {
        // Replies without sockets would leave the event loop no turn in which a signal is heard.
        await setImmediate();
        return send(...request);
      };
      const record = await judge(target, { ...options, only, transport });
      records.push({ ...record, target: { ...record.target, base_url: deployment } });
      for (const { id, verdict } of record.runs) if (verdict !== 'not-tested') judged.add(id);
    } finally {
      await close();
    }
    if (records.at(-1)?.stopped !== undefined) break;
  }
  const [first, ...rest] = records;
  if (first === undefined) throw new Error('no check of the dialect service is in reach');
  return [first, ...rest];
}
