/**
 * The events of the lab as lines of JSON with sequence numbers, for any number of readers. Its memory is bounded: old events are
 * dropped, and so is a reader that does not keep up, which then resumes after the last event that it has.
 */

/** A reader of the stream: an HTTP response. */
interface Sink {
  readonly write: (text: string) => unknown;
  readonly destroy: () => unknown;
  /** Bytes that were written and not yet taken. */
  readonly writableLength: number;
}

/** How much is kept. */
interface StreamLimits {
  /** Events that a reader may resume after. */
  readonly events: number;
  /** Characters of these events, in all. */
  readonly chars: number;
  /** Bytes that may wait for one reader. */
  readonly waiting: number;
}

const LIMITS: StreamLimits = { events: 20_000, chars: 8 << 20, waiting: 1 << 20 };

/** The events of one server, in their order. */
export class EventStream {
  /** The name of this run of the server: sequence numbers of another one mean nothing here. */
  readonly run: string;
  readonly #limits: StreamLimits;
  readonly #readers = new Set<Sink>();
  #lines: string[] = [];
  #first = 1;
  #next = 1;
  #chars = 0;

  constructor(run: string, limits: Partial<StreamLimits> = {}) {
    this.run = run;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.#next - 1;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Adds an event, and sends it to every reader. */
  publish(kind: string, data: unknown): void {
    const line = `${JSON.stringify({ seq: this.#next, kind, data })}\n`;
    this.#next += 1;
    this.#lines.push(line);
    this.#chars += line.length;
    this.#forget();
    for (const reader of this.#readers) this.#send(reader, line);
  }

  /**
   * Sends a reader everything after event `after` of run `run`, and from then on each new event. The first line names this run;
   * `gap` in it says that events are missing, and that what was derived from events has to be read again.
   */
  subscribe(sink: Sink, { run, after }: { readonly run?: string | undefined; readonly after: number }): void {
    const same = run === this.run && after < this.#next;
    const from = same ? Math.max(after + 1, this.#first) : this.#next;
    const gap = run !== undefined && (!same || from > after + 1);
    sink.write(`${JSON.stringify({ seq: from - 1, kind: 'hello', data: { run: this.run, gap } })}\n`);
    const missed = this.#lines.slice(from - this.#first);
    if (missed.length > 0) sink.write(missed.join(''));
    this.#readers.add(sink);
  }

  /** Forgets a reader that has left. */
  unsubscribe(sink: Sink): void {
    this.#readers.delete(sink);
  }

  /** Ends all readers. */
  close(): void {
    for (const reader of this.#readers) reader.destroy();
    this.#readers.clear();
  }

  #send(reader: Sink, line: string): void {
    if (reader.writableLength <= this.#limits.waiting) {
      reader.write(line);
      return;
    }
    this.#readers.delete(reader);
    reader.destroy();
  }

  /** Drops the oldest events, an eighth at a time so that dropping costs nothing. */
  #forget(): void {
    const { events, chars } = this.#limits;
    while (this.#lines.length > events || (this.#chars > chars && this.#lines.length > 1)) {
      const dropped = this.#lines.splice(0, Math.max(1, this.#lines.length >> 3));
      this.#first += dropped.length;
      this.#chars -= dropped.reduce((sum, line) => sum + line.length, 0);
    }
  }
}
