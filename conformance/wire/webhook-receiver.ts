/**
 * A small HTTP server that receives the deliveries of partner webhooks. The partner-webhook checks judge
 * them.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received delivery. */
export interface Delivered {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The exact body, as text. */
  readonly text: string;
}

/** The answer to a delivery: a status, at once or after `afterMs` of real time, or a cut connection. */
export type Answer = number | 'cut' | { readonly status: number; readonly afterMs: number };

const BODY_BYTES_MAX = 262_144;
/** A run keeps at most this many deliveries and characters. Some hundreds are expected, of a kilobyte each. */
const KEPT_MAX = 10_000;
const KEPT_CHARS_MAX = 33_554_432;
const CONNECTIONS_MAX = 1_000;
const POLL_MS = 10;

/** The webhook of one partner of a check. */
export class Inbox {
  readonly got: Delivered[] = [];
  /** The next answers; 204 if empty. */
  readonly answers: Answer[] = [];

  constructor(readonly url: string) {}

  /** Waits for a total of `count` deliveries, at most `waitMs` of real time. Resolves to whether they have arrived. */
  async arrived(count: number, waitMs: number): Promise<boolean> {
    for (let left = waitMs; this.got.length < count && left > 0; left -= POLL_MS) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return this.got.length >= count;
  }
}

/** The receiver of webhooks: an HTTP server with an inbox for each path. */
export class WebhookReceiver {
  /** Called for every delivery with the path of its inbox. */
  onDelivery: (path: string, delivered: Delivered) => void = () => {};
  /** The paths of deliveries without an inbox. */
  readonly strays: string[] = [];
  readonly #inboxes = new Map<string, Inbox>();
  #kept = 0;
  #chars = 0;

  private constructor(
    /** Absent if deliveries come only from `deliver`. */
    private readonly server: Server | undefined,
    readonly publicUrl: string,
  ) {
    server?.on('request', (request: IncomingMessage, response: ServerResponse) => this.#take(request, response));
  }

  /** Makes a receiver that does not listen, for deliveries recorded at `publicUrl`. */
  static fed(publicUrl: string): WebhookReceiver {
    return new WebhookReceiver(undefined, publicUrl);
  }

  /** Listens on `host:port`. Targets deliver to `publicUrl`, by default the address itself. Rejects as `listen` does. */
  static async start(listen: string, publicUrl?: string): Promise<WebhookReceiver> {
    const colon = listen.lastIndexOf(':');
    const host = listen.slice(0, colon).replaceAll(/[[\]]/g, '');
    const server = createServer();
    server.maxConnections = CONNECTIONS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(listen.slice(colon + 1)), host, () => resolve());
    });
    const { port, address, family } = server.address() as AddressInfo;
    const own = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    return new WebhookReceiver(server, publicUrl ?? own);
  }

  /** Makes an inbox. `name`: a word that the run uses only once. */
  inbox(name: string): Inbox {
    const inbox = new Inbox(`${this.publicUrl}/${name}`);
    this.#inboxes.set(`/${name}`, inbox);
    return inbox;
  }

  /** The number of deliveries in other inboxes that contain a text. */
  elsewhere(own: Inbox, text: string): number {
    const others = [...this.#inboxes.values()].filter((inbox) => inbox !== own);
    return others.flatMap(({ got }) => got).filter((delivered) => delivered.text.includes(text)).length;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.server === undefined) return resolve();
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Puts a delivery into the inbox of a path. Returns the answer; undefined if no inbox has this path. */
  deliver(path: string, delivered: Delivered): Answer | undefined {
    this.#kept += 1;
    this.#chars += delivered.text.length;
    // Deliveries beyond the limit are refused.
    if (this.#kept > KEPT_MAX || this.#chars > KEPT_CHARS_MAX) return 503;
    const inbox = this.#inboxes.get(path);
    if (inbox === undefined) {
      this.strays.push(path);
      return undefined;
    }
    inbox.got.push(delivered);
    this.onDelivery(path, delivered);
    return inbox.answers.shift() ?? 204;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      // A public URL may have a path before the name of the inbox.
      const path = request.url ?? '/';
      const text = Buffer.concat(chunks).toString('utf8');
      const delivered = { method: request.method ?? '', headers: request.headers, text };
      const answer = this.deliver(path.slice(path.lastIndexOf('/')), delivered) ?? 404;
      if (answer === 'cut') request.socket.destroy();
      else if (typeof answer === 'number') response.writeHead(answer).end();
      else setTimeout(() => response.writeHead(answer.status).end(), answer.afterMs);
    });
  }
}
