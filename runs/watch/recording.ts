/** Watches a folder of `conform --record`: the suite is played again on the recording, which lacks the headers of requests, and no request is made. */

import type { Transport } from '../../conformance/wire/transport.js';
import { headersOf, type Observed } from '../../watch/exchange.js';
import { packageVersion } from '../host/package.js';
import { judgeRecording, type readRecording } from '../suite/record.js';

/** Calls `add` with each exchange of a recording. Its times give the order alone. */
export async function exchangesOfRecording(
  recording: ReturnType<typeof readRecording>,
  folder: string,
  add: (observed: Observed) => void,
): Promise<void> {
  let moment = 0;
  let nth = 0;
  const observedBy =
    (send: Transport): Transport =>
    async (request) => {
      nth += 1;
      moment += 1;
      const { method, url, headers, body, owner } = request;
      const begun = {
        request: { method, url, headers: headersOf(Object.entries(headers)), ...(body === undefined ? {} : { body }) },
        beganMs: moment,
        isOrderOnly: true as const,
        client: 'the suite',
        source: `${folder}, request ${nth} of ${owner ?? 'the run'}`,
      };
      const end = (reply: Observed['reply'], unread?: Observed['unread']): void => {
        moment += 1;
        add({ ...begun, endedMs: moment, reply, ...(unread === undefined ? {} : { unread }) });
      };
      try {
        const reply = await send(request);
        end(reply, reply.cut === true || reply.resent !== undefined ? 'aborted' : undefined);
        return reply;
      } catch (error) {
        end(undefined, 'aborted');
        throw error;
      }
    };
  await judgeRecording(
    recording,
    {
      seed: recording.manifest.seed,
      toolVersion: packageVersion(),
      nowWallMs: () => performance.timeOrigin + performance.now(),
      onDeviation: () => {},
    },
    observedBy,
  );
}
