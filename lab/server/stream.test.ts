import { describe, expect, it } from 'vitest';
import { EventStream } from './stream.js';

/** A reader that keeps what it gets. */
function reader(writableLength = 0) {
  const lines: { seq: number; kind: string; data: { run?: string; gap?: boolean } }[] = [];
  let ended = false;
  return {
    lines,
    isEnded: () => ended,
    writableLength,
    write: (text: string) =>
      lines.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    destroy: () => {
      ended = true;
    },
  };
}

const seqs = (lines: readonly { seq: number; kind: string }[]) =>
  lines.filter(({ kind }) => kind !== 'hello').map(({ seq }) => seq);

describe('the stream', () => {
  it('gives a reader that comes back every event once', () => {
    const stream = new EventStream('a');
    const first = reader();
    stream.subscribe(first, { after: 0 });
    for (let n = 0; n < 5; n += 1) stream.publish('n', n);
    stream.unsubscribe(first);
    for (let n = 0; n < 5; n += 1) stream.publish('n', n);
    const again = reader();
    stream.subscribe(again, { run: 'a', after: 5 });
    stream.publish('n', 0);
    expect([...seqs(first.lines), ...seqs(again.lines)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(again.lines[0]).toMatchObject({ kind: 'hello', seq: 5, data: { run: 'a', gap: false } });
  });

  it('says that events are missing: dropped ones, and those of another run', () => {
    const stream = new EventStream('a', { events: 8 });
    for (let n = 0; n < 50; n += 1) stream.publish('n', n);
    const late = reader();
    stream.subscribe(late, { run: 'a', after: 3 });
    expect(late.lines[0]?.data.gap).toBe(true);
    expect(seqs(late.lines).at(-1)).toBe(50);
    expect(seqs(late.lines).length).toBeLessThanOrEqual(8);
    const foreign = reader();
    stream.subscribe(foreign, { run: 'b', after: 3 });
    expect(foreign.lines).toEqual([{ seq: 50, kind: 'hello', data: { run: 'a', gap: true } }]);
  });

  it('drops a reader that does not keep up, and no other', () => {
    const stream = new EventStream('a', { waiting: 100 });
    const [slow, quick] = [reader(101), reader(100)];
    stream.subscribe(slow, { after: 0 });
    stream.subscribe(quick, { after: 0 });
    stream.publish('n', 1);
    expect([slow.isEnded(), quick.isEnded(), stream.readers]).toEqual([true, false, 1]);
    expect(seqs(slow.lines)).toEqual([]);
    expect(seqs(quick.lines)).toEqual([1]);
  });
});
