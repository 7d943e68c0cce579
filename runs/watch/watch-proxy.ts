/** `aips watch --to URL`: passes traffic on and judges it, until it is interrupted. */

import { baseUrlOf } from '../../conformance/target/target.js';
import type { WatchResult } from '../../results/watch-result.js';
import { Failure, systemErrorCode } from '../host/failure.js';
import { Started } from '../host/started.js';
import { readTarget } from '../suite/target-file.js';
import { LiveJudge } from './live.js';
import { type RunningProxy, startProxy } from './proxy.js';
import { requireScopes } from './session.js';
import { assumedSetUp, setUpFor, type WatchFlags } from './watch-files.js';

/** Where the proxy listens, and what is behind it. */
interface ProxyFlags extends WatchFlags {
  readonly listen?: string | undefined;
  readonly to?: string | undefined;
  readonly 'beats-to'?: string | undefined;
}

/** The addresses of a proxy that runs. */
export interface Listening {
  readonly url: string;
  readonly to: string;
}

/**
 * Passes traffic on until `signal` is aborted, and returns the result. `onListening`: called once all ports listen. `place`: where the judge works.
 * Throws a Failure for bad addresses and ports.
 */
export async function watchProxy(
  flags: ProxyFlags,
  signal: AbortSignal,
  onListening: (all: readonly Listening[]) => void,
  place: 'thread' | 'here' = 'thread',
): Promise<WatchResult> {
  requireScopes(flags.only ?? []);
  const target = flags.target === undefined ? undefined : readTarget(flags);
  const to = baseUrlIn('--to', flags.to ?? target?.baseUrl);
  if (to === undefined) throw new Failure('Say where the server is: aips watch --listen 127.0.0.1:0 --to URL');
  const beatsTo = baseUrlIn('--beats-to', flags['beats-to'] ?? target?.beatsUrl ?? undefined) ?? null;
  const addresses = { baseUrl: to, beatsUrl: beatsTo };
  const setUp =
    target === undefined ? assumedSetUp(addresses, flags) : setUpFor({ ...target, ...addresses }, flags, []);
  const listen = listenIn(flags.listen ?? '127.0.0.1:0');
  const nowMs = (): number => performance.timeOrigin + performance.now();
  const proxies: RunningProxy[] = [];
  const judge = new LiveJudge(setUp, () => Math.min(...proxies.map((each) => each.oldestMs())), nowMs, place);
  const started = new Started();
  try {
    for (const [at, behind] of [to, ...(beatsTo === null ? [] : [beatsTo])].entries()) {
      const settings = { listen: listen(at), to: behind, ca: target?.ca, nowMs };
      const proxy = await startProxy({ ...settings, onPassed: (passed) => judge.add(passed) });
      started.add(proxy.close);
      proxies.push(proxy);
    }
    onListening(proxies.map(({ url }, at) => ({ url, to: at === 0 ? to : (beatsTo ?? '') })));
    const interrupted = new Promise<void>((done) => {
      if (signal.aborted) done();
      signal.addEventListener('abort', () => done(), { once: true });
    });
    await Promise.race([interrupted, judge.failed]);
    await started.close();
    return await judge.end(flags.demanded);
  } catch (error) {
    throw listenFailure(error, listen(0));
  } finally {
    await started.close();
    await judge.close();
  }
}

function baseUrlIn(option: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  try {
    return baseUrlOf(url);
  } catch (error) {
    if (error instanceof TypeError)
      throw new Failure(`${option}: ${error.message}. For example: http://127.0.0.1:8787`);
    throw error;
  }
}

/** The addresses to listen at: the second one takes the next port, or any free one where the first does. */
function listenIn(listen: string): (nth: number) => string {
  const [, host, written = ''] = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(listen) ?? [];
  const port = Number(written);
  if (host === undefined || port > 65_534)
    throw new Failure(`--listen ${listen}: must be host:port, such as 127.0.0.1:8080 (port 0 takes any free one).`);
  return (nth) => `${host}:${port === 0 ? 0 : port + nth}`;
}

function listenFailure(error: unknown, listen: string): unknown {
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return new Failure(
        `--listen ${listen}: the port or the next one is in use. Choose another (0 takes any free one).`,
      );
    case 'EACCES':
      return new Failure(`--listen ${listen}: you may not open this port. Choose one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure(`--listen ${listen}: this machine has no such address.`);
    default:
      return error;
  }
}
