// Traffic of the suite, judged from an unknown start: the reference breaks no clause, wherever the traffic begins and whether control calls are seen.
import { expect, it } from 'vitest';
import { CHEAP, cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { runSuite } from '../conformance/run/runner.js';
import { settingsOf } from '../conformance/target/modelled.js';
import type { Target } from '../conformance/target/target.js';
import type { WireReply, WireRequest } from '../conformance/wire/transport.js';
import { openState } from '../model/facts/open-state.js';
import { type End, Oracle } from '../model/oracle.js';
import { CONTROL_PATH } from '../spec/endpoint.js';
import { withOverlay } from '../spec/overlay.js';

interface Begun {
  readonly request: WireRequest;
  readonly atMs: number;
}
interface Ended {
  readonly of: Begun;
  readonly reply: WireReply;
  readonly atMs: number;
}

/** Requests and replies of a run of some checks against the reference, in the order in which they began and ended. */
async function recorded(only: readonly string[]): Promise<{ target: Target; events: readonly (Begun | Ended)[] }> {
  const numbers = withOverlay(CHEAP);
  const { target, send, close } = startInProcess(await loadReference(), { seed: 5, numbers, held: cheap });
  const events: (Begun | Ended)[] = [];
  const transport = async (request: WireRequest): Promise<WireReply> => {
    const begun = { request, atMs: Date.now() };
    events.push(begun);
    const reply = await send(request);
    events.push({ of: begun, reply, atMs: Date.now() });
    return reply;
  };
  try {
    await runSuite(target, { seed: 5, toolVersion: 'test', nowWallMs: Date.now, only, transport });
  } finally {
    await close();
  }
  return { target, events };
}

it('the reference breaks no clause', async () => {
  const { target, events } = await recorded(['sponsor/*', 'flag/*', 'register/*', 'resync/re*', 'heartbeat/p*']);
  const isControl = ({ url }: WireRequest): boolean => url.startsWith(`${target.control?.url}${CONTROL_PATH}`);
  for (const [seesControl, from, least] of [
    [true, 0, 300],
    [false, 0.4, 150],
  ] as const) {
    const broken: string[] = [];
    const held = new Set<string>();
    const oracle = new Oracle<WireRequest>(openState(settingsOf(target)), ({ by, judgement }) => {
      for (const { ok, level, clauses, about } of judgement.evidence) {
        if (ok) for (const clause of clauses) held.add(clause);
        else if (level === 'must') broken.push(`${by.method} ${by.url}: ${clauses.join()}, ${about}`);
      }
    });
    const ends = new Map<Begun, End>();
    for (const event of events.slice(Math.floor(events.length * from))) {
      if ('of' in event) ends.get(event.of)?.(event.reply, true, event.atMs);
      else if (seesControl || !isControl(event.request))
        ends.set(event, oracle.begin(event.request, event.request, event.atMs));
    }
    expect(broken).toEqual([]);
    expect(held.size).toBeGreaterThan(least);
  }
});
