/**
 * Requests and replies that hold little memory whatever a client does: chunks of one byte, or a reply that is not read. Their
 * contents are not read.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldBytes } from '../request/held-bytes.js';

/** Smaller chunks are copied together: each would be a buffer of its own, which takes some 300 bytes. */
const PIECE_BYTES = 4_096;

/** A request whose chunked body comes in pieces of some size, one for each read of the socket, however small its chunks are. */
export class Request extends IncomingMessage {
  #piece: Buffer | undefined;
  #bytes = 0;

  /** Node's parser calls it for each chunk, and with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (this.headers['transfer-encoding'] === undefined) return super.push(chunk);
    if (chunk === null || chunk.length > PIECE_BYTES - this.#bytes) this.#pass();
    if (chunk === null || chunk.length > PIECE_BYTES) return super.push(chunk);
    if (this.#piece === undefined) {
      this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      // Not at the next tick: Node runs ticks after each chunk.
      setImmediate(() => this.#pass());
    }
    this.#bytes += chunk.copy(this.#piece, this.#bytes);
    return this.readableLength < this.readableHighWaterMark;
  }

  /** Thousands of requests end with one connection. An unhandled error would cost each more than its reply. */
  override destroy(error?: Error): this {
    return super.destroy(this.listenerCount('error') === 0 ? undefined : error);
  }

  #pass(): void {
    if (this.#piece === undefined) return;
    const bytes = this.#piece.subarray(0, this.#bytes);
    // Pushed chunks may stay referenced, and only a copy takes no more memory than its own bytes.
    const piece = this.#bytes > PIECE_BYTES / 2 ? bytes : Buffer.allocUnsafeSlow(this.#bytes).fill(bytes);
    this.#piece = undefined;
    this.#bytes = 0;
    if (!this.destroyed) super.push(piece);
  }
}

/** Replies whose bytes count as held until their client has taken them. */
export function repliesHeldBy(held: HeldBytes): typeof ServerResponse<Request> {
  return class Reply extends ServerResponse<Request> {
    override end(chunk?: unknown, encoding?: unknown, sent?: unknown): this {
      super.end(chunk, encoding as BufferEncoding, sent as () => void);
      const { socket } = this;
      if (socket === null || socket.writableLength === 0) return this;
      held.set(socket, socket.writableLength);
      this.once('close', () => held.set(socket, 0));
      return this;
    }
  };
}
