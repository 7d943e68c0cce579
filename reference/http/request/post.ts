/**
 * Posts JSON to another server, with bounds on time and on the length of the reply. It reads interim replies, as node:http does and
 * fetch does not (RFC 9110, 15.2). remote-ledger.ts interprets the reply.
 */
import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';

/** A request, and how much of a reply to it is read. */
interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly replyBytesMax: number;
}

/** A reply; `text` is undefined if it is longer than it may be. Only a success has one. */
interface PostReply {
  readonly status: number;
  readonly text: string | undefined;
}

const IDLE_MS_MAX = 4_000;
const options = { keepAlive: true, timeout: IDLE_MS_MAX };
const agents = { 'http:': new Agent(options), 'https:': new SecureAgent(options) } as const;

/**
 * Posts, and once more on a new connection where the server has closed the kept one without a byte of a reply, as it may at any time (RFC 9112,
 * 9.3.1): for reads, which may be repeated. Redirects are not followed, since they could lead to any host.
 */
export async function post(asked: Post): Promise<PostReply> {
  const kept = { used: false, heard: false };
  try {
    return await sent(asked, agents[new URL(asked.url).protocol as keyof typeof agents], kept);
  } catch (error) {
    const lost = kept.used && !kept.heard && error instanceof Error && 'code' in error && LOST.has(String(error.code));
    if (!lost || asked.signal.aborted) throw error;
    return sent(asked, false);
  }
}

const LOST = new Set(['ECONNRESET', 'EPIPE']);

function sent(
  { url, headers, body, signal, replyBytesMax }: Post,
  agent: Agent | SecureAgent | false,
  kept: { used: boolean; heard: boolean } = { used: false, heard: false },
): Promise<PostReply> {
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? requestSecure : requestPlain;
    const length = { 'content-length': Buffer.byteLength(body) };
    const request: ClientRequest = ask(url, { method: 'POST', headers: { ...headers, ...length }, agent, signal });
    const fail = (error: Error): void => reject(signal.aborted ? (signal.reason as Error) : error);
    request.on('error', fail).on('socket', (socket) => {
      kept.used = request.reusedSocket;
      socket.once('data', () => {
        kept.heard = true;
      });
    });
    request.on('response', (response: IncomingMessage) => {
      const { statusCode: status = 0 } = response;
      const end = (text?: string): void => resolve({ status, text });
      if (status < 200 || status > 299) {
        end();
        return void request.destroy();
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail).on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= replyBytesMax) return void chunks.push(chunk);
        end();
        request.destroy();
      });
      response.on('end', () => end(Buffer.concat(chunks).toString('utf8')));
    });
    request.end(body);
  });
}
