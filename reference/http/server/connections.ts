/**
 * The connections of a process, on all its ports: how many there may be, which one is closed for a new one, and in which order
 * their requests are served. Replies are the app's concern.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of connections and of what they hold. */
export interface ConnectionLimits {
  /** Connections at once. */
  readonly connectionsMax: number;
  /** Requests that wait behind others of their connection: a client has sent them without waiting for replies. */
  readonly waitingMax: number;
  /** Connections with such requests, of each of which up to 64 KB have been read. */
  readonly queuesMax: number;
}

/** A connection whose request is being served. */
interface Busy {
  current: ServerResponse;
  /** The reply to the last request that has been read. */
  last: ServerResponse;
  readonly queue: (() => void)[];
}

/**
 * Connections, and their requests in turn. Of requests that were sent without waiting for replies, thousands arrive at once, and
 * would all be served before those of any other connection. So the next one is served when the reply to the one before has left and
 * others have had their turn, and meanwhile nothing is read from the connection.
 */
export class Connections {
  /** In the order in which they became idle. */
  readonly #idle = new Set<Socket>();
  /** In the order in which they became busy. */
  readonly #busy = new Map<Socket, Busy>();
  /** The busy connections with a queue. */
  readonly #queued = new Map<Socket, Busy>();
  #waiting = 0;
  /** Waiting requests read in this turn of the event loop: those of closed connections take memory until it ends. */
  #readNow = 0;
  /** Connections that are not read until then. */
  #held: Socket[] = [];

  constructor(private readonly limits: ConnectionLimits) {}

  /** Connections and waiting requests, as they are now. */
  get counts(): { readonly open: number; readonly waiting: number } {
    return { open: this.#idle.size + this.#busy.size, waiting: this.#waiting };
  }

  /** Takes a new connection. When there are too many, one that waits for its client is closed, or else the new one. */
  add(socket: Socket): void {
    if (this.counts.open >= this.limits.connectionsMax) {
      const [idle = this.#waitsForClient()] = this.#idle;
      if (idle === undefined) return void socket.destroy();
      this.#drop(idle);
    }
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#held.length > 0) this.#hold(socket);
  }

  /** The reply to the last request of a connection, unless all are answered. */
  lastReply(socket: Socket): ServerResponse | undefined {
    return this.#busy.get(socket)?.last;
  }

  /** An app that gets the requests of one connection one after another. */
  inTurn(app: RequestListener): RequestListener {
    return (req, res) => {
      const { socket } = req;
      // The rest of what was read from a connection before it was closed.
      if (socket.destroyed) return this.#countRead();
      const busy = this.#busy.get(socket);
      if (busy !== undefined) return this.#enqueue(socket, busy, res, () => this.#serve(app, busy, req, res));
      this.#idle.delete(socket);
      const begun = { current: res, last: res, queue: [] };
      this.#busy.set(socket, begun);
      this.#serve(app, begun, req, res);
    };
  }

  #serve(app: RequestListener, busy: Busy, req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    busy.current = res;
    res.once('close', () => {
      if (busy.queue.length > 0) {
        // At the end of a request Node goes on reading.
        socket.pause();
        setImmediate(() => this.#next(socket, busy));
      } else if (this.#busy.delete(socket) && !socket.destroyed) this.#idle.add(socket);
    });
    app(req, res);
  }

  #next(socket: Socket, busy: Busy): void {
    // A connection that is being closed takes no reply any more, so nothing is done for it.
    if (!socket.writable) {
      this.#drop(socket);
      return;
    }
    const following = busy.queue.shift();
    // The connection has been dropped meanwhile.
    if (following === undefined) return;
    this.#waiting -= 1;
    if (busy.queue.length === 0) {
      this.#queued.delete(socket);
      socket.resume();
    }
    following();
  }

  #enqueue(socket: Socket, busy: Busy, res: ServerResponse, serve: () => void): void {
    socket.pause();
    busy.last = res;
    busy.queue.push(serve);
    this.#queued.set(socket, busy);
    this.#waiting += 1;
    this.#countRead();
    const { waitingMax, queuesMax } = this.limits;
    if (this.#waiting > waitingMax || this.#queued.size > queuesMax) this.#dropLongestQueue();
  }

  /** After this many requests that wait, nothing more is read in this turn of the event loop, from any connection. */
  #countRead(): void {
    this.#readNow += 1;
    if (this.#readNow === 1) setImmediate(() => this.#readOn());
    if (this.#readNow !== this.limits.waitingMax) return;
    for (const socket of [...this.#idle, ...this.#busy.keys()]) this.#hold(socket);
  }

  #hold(socket: Socket): void {
    if (this.#queued.has(socket)) return;
    socket.pause();
    this.#held.push(socket);
  }

  #readOn(): void {
    this.#readNow = 0;
    for (const socket of this.#held.splice(0)) if (!socket.destroyed && !this.#queued.has(socket)) socket.resume();
  }

  #dropLongestQueue(): void {
    let longest: Socket | undefined;
    let length = 0;
    for (const [socket, { queue }] of this.#queued) {
      if (queue.length > length) [longest, length] = [socket, queue.length];
    }
    if (longest !== undefined) this.#drop(longest);
  }

  /** The busy connection that has waited for its client longest: to send the rest of its request, or to read its reply. */
  #waitsForClient(): Socket | undefined {
    for (const [socket, { current }] of this.#busy) {
      if (current.writableEnded || !current.req.complete) return socket;
    }
    return undefined;
  }

  #drop(socket: Socket): void {
    // Its close event comes too late for the next of many that arrive at once.
    this.#forget(socket);
    // Node makes an error for each request that ends with its connection. Thousands of stack traces would take seconds.
    const { stackTraceLimit } = Error;
    socket.prependOnceListener('close', () => {
      Error.stackTraceLimit = 0;
    });
    socket.once('close', () => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#idle.delete(socket);
    const busy = this.#busy.get(socket);
    if (busy === undefined) return;
    this.#waiting -= busy.queue.length;
    busy.queue.length = 0;
    this.#queued.delete(socket);
    this.#busy.delete(socket);
  }
}
