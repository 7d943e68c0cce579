/**
 * `aips serve --chaos SEED`: changes the traffic between the apps of the reference and their clients, over HTTP. The changes are drawn from
 * the seed in conformance/chaos; this file only passes requests and replies through them.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Chaos, chaotic } from '../../conformance/chaos/chaos.js';
import { callApp } from '../../conformance/in-process/apps.js';
import type { Transport, WireReply } from '../../conformance/wire/transport.js';

/** Only the first bytes of a larger body are kept: the reference refuses it for its length. */
const KEPT_BYTES_MAX = 1_048_576;

/** Makes each app behave like a server of the seed. */
export function chaoticApps(chaos: Chaos): (app: RequestListener, service: 'registry' | 'beats') => RequestListener {
  return (app, service) => {
    const around = chaotic(chaos, () => service);
    return (req, res) => {
      answer(app, around, req, res).then(
        (reply) => reply !== undefined && write(res, reply, chaos),
        (error: unknown) => res.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    };
  };
}

/** The reply to a request; undefined where its client has left. */
async function answer(
  app: RequestListener,
  around: (send: Transport) => Transport,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<WireReply | undefined> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const body = await bodyOf(req);
  if (body === undefined) return undefined;
  const { method = 'GET', url: path = '/' } = req;
  const { remoteAddress } = req.socket;
  const headers = flat(req.headers);
  // A body that is not JSON in UTF-8 passes unchanged.
  const plain = headers['content-encoding'] === undefined && isUtf8(body.kept) && body.bytes === body.kept.length;
  const text = plain && body.bytes > 0 ? body.kept.toString() : undefined;
  const arrived = { method, path, remoteAddress, gone: gone.signal };
  const send: Transport = ({ headers: changed, body: sent }) =>
    callApp(app, {
      ...{ ...arrived, headers: changed },
      ...(sent === text ? { body: body.kept, bodyBytes: body.bytes } : { body: sent ?? '' }),
    });
  const request = { method, url: `http://service${path}`, headers, timeoutMs: 0, replyBytesMax: 0 };
  const passes = path.startsWith('/') && URL.canParse(request.url);
  return (passes ? around(send) : send)(text === undefined ? request : { ...request, body: text });
}

/** The kept part of a body, and its full length; undefined if the client left before the end of the body. */
async function bodyOf(req: IncomingMessage): Promise<{ readonly kept: Buffer; readonly bytes: number } | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= KEPT_BYTES_MAX) chunks.push(chunk);
    }
  } catch (error) {
    if (req.complete) throw error;
    return undefined;
  }
  return { kept: Buffer.concat(chunks), bytes };
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

function write(res: ServerResponse, { status, headers, body }: WireReply, { headerName }: Chaos): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(headerName(name), value);
  res.end(body);
}
