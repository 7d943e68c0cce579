/** Bounds the bytes that connections make this process hold. The callers decide which bytes count. */

import type { Socket } from 'node:net';

/** The bytes that each connection holds. Beyond the bound, the connection that has held some longest is closed. */
export class HeldBytes {
  readonly #bytes = new Map<Socket, number>();
  #total = 0;

  constructor(readonly max: number) {}

  get total(): number {
    return this.#total;
  }

  /** Sets how many bytes a connection holds; 0 when it holds none any more. */
  set(socket: Socket, bytes: number): void {
    const before = this.#bytes.get(socket) ?? 0;
    if (bytes === before) return;
    this.#total += bytes - before;
    if (bytes === 0) this.#bytes.delete(socket);
    else this.#bytes.set(socket, bytes);
    while (this.#total > this.max) {
      const [oldest] = this.#bytes.keys();
      if (oldest === undefined) return;
      this.set(oldest, 0);
      oldest.destroy();
    }
  }
}
