/** The servers on which pairs are tried: the reference, others that the text permits, and the second server. Each is reused for all scripts. */

import { type Chaos, chaosOf, chaotic, sharesOf } from '../../conformance/chaos/chaos.js';
import { numbersWith } from '../../conformance/chaos/form.js';
import {
  CHEAP,
  cheap,
  type InProcess,
  loadReference,
  START_MS,
  startInProcess,
} from '../../conformance/in-process/reference.js';
import { httpTransport, type Transport } from '../../conformance/wire/transport.js';
import type { Open } from '../../planted/pairs/find.js';
import { referenceTarget } from '../../runs/server/reference-process.js';
import { withOverlay } from '../../spec/overlay.js';
import { DAY_MS } from '../../spec/time.js';
import { startSecondServer } from '../second-server/server.js';

const modules = await loadReference();
const unlimited = withOverlay({
  ...CHEAP,
  limits: Object.fromEntries(Object.entries(cheap.limits).map(([name]) => [name, { count: 1_000_000 }])) as never,
});

/** Opens a server once, and brings it to its start for each script. */
export function reused(start: () => InProcess | Promise<InProcess>, around = (send: Transport): Transport => send) {
  let server: InProcess | undefined;
  const open: Open = async () => {
    server ??= await start();
    const { send, target } = server;
    const { url, token } = target.control ?? { url: '', token: '' };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const reset = { method: 'POST', url: `${url}/control/v1/reset`, headers, body: '{}' };
    const { status } = await send({ ...reset, timeoutMs: 60_000, replyBytesMax: 65_536 });
    if (status !== 200) throw new Error(`a reset is answered with ${status}`);
    return { target, send: around(send), close: async () => {} };
  };
  return { open, end: async () => server?.close() };
}

/** The reference that scripts are recorded on. */
export const reference = reused(() => startInProcess(modules, { seed: 1, numbers: cheap })).open;
/** The same with another seed, on another day. */
export const later = reused(() =>
  startInProcess(modules, { seed: 2, numbers: cheap, startMs: START_MS + 3 * DAY_MS }),
).open;
/** The reference without limits, on which many requests are tried in one state. */
export const unbounded = reused(() => startInProcess(modules, { seed: 1, numbers: unlimited })).open;
/** The reference with the forms of a chaos server. */
function formed(chaos: Chaos): Open {
  const { seed, forms, rateWindow, startsAfterMs } = chaos;
  const numbers = withOverlay(numbersWith(CHEAP, forms));
  let server: InProcess | undefined;
  const start = (): InProcess => {
    server = startInProcess(modules, { seed, numbers, held: cheap, rateWindow, startMs: START_MS + startsAfterMs });
    return server;
  };
  return reused(start, (send) => chaotic({ ...chaos, latencyMax: 0 }, (request) => server?.serviceOf(request))(send))
    .open;
}

const PERMITTED = 24;
const shares = sharesOf(PERMITTED);
const seeds = Array.from({ length: PERMITTED }, (_, nth) => nth + 1);
/** Permitted servers: those that `conformance/chaos` draws, in which many forms meet, and those in which each form meets few others. */
export const permitted: readonly Open[] = [
  ...seeds.map((seed) => formed(chaosOf(seed))),
  ...shares.map((forms, nth) => formed({ ...chaosOf(nth + 1), forms })),
];

/** The server that was written from the text alone. */
export const second: Open = async () => {
  const server = await startSecondServer({ difficulty: 4 });
  const urls = {
    base_url: server.url,
    beats_url: server.beatsUrl,
    control_url: server.controlUrl,
    control_token: 'lab',
  };
  const target = referenceTarget(urls, [
    'protocol: { beat: { difficulty: 4 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } }',
  ]);
  const { send, close } = httpTransport();
  return {
    target,
    send,
    close: async () => {
      await close();
      await server.close();
    },
  };
};
