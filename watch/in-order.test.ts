// The order in which exchanges begin and end, by the times of an observer.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Observed } from './exchange.js';
import { InOrder } from './in-order.js';

type Times = Pick<Observed, 'beganMs' | 'endedMs' | 'inexactMs'>;

function observed(source: string, times: Times): Observed {
  const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: {} };
  return { request, reply: { status: 200, headers: {}, body: '' }, client: undefined, source, ...times };
}

/** The begins and ends, as `a` and `/a`. */
function orderOf(all: readonly (readonly [string, Times])[]): string {
  const moments: string[] = [];
  const order = new InOrder(({ source, unread }) => {
    moments.push(source + (unread === undefined ? '' : `(${unread})`));
    return () => moments.push(`/${source}`);
  });
  for (const [source, times] of all) order.add(observed(source, times));
  order.flush();
  return moments.join(' ');
}

const at = (beganMs: number, endedMs: number, inexactMs = 0): Times => ({ beganMs, endedMs, inexactMs });

it.each([
  [
    'one after the other',
    [
      ['a', at(0, 5)],
      ['b', at(6, 9)],
    ],
    'a /a b /b',
  ],
  [
    'in a file by their ends',
    [
      ['b', at(6, 7)],
      ['a', at(0, 9)],
    ],
    'a b /b /a',
  ],
  [
    'at the same time, which counts as overlapping',
    [
      ['a', at(0, 5)],
      ['b', at(5, 9)],
    ],
    'a b /a /b',
  ],
  [
    'of one client with rounded times',
    [
      ['a', at(0, 5.5, 1)],
      ['b', at(5, 9, 1)],
    ],
    'a /a b /b',
  ],
  [
    'of a client that sends several at once, with rounded times',
    [
      ['a', at(0, 5.5, 1)],
      ['b', at(2, 9, 1)],
      ['c', at(6, 9, 1)],
    ],
    'a b c /a /b /c',
  ],
  [
    'without times',
    [
      ['a', { beganMs: undefined, endedMs: undefined }],
      ['b', { beganMs: undefined, endedMs: undefined }],
    ],
    'a /a b /b',
  ],
] as const)('%s', (_, all, order) => {
  expect(orderOf(all)).toBe(order);
});

it('an exchange that comes too late for its place is not judged', () => {
  const many = Array.from({ length: 600 }, (_, nth) => [`${nth}`, at(10 + 2 * nth, 11 + 2 * nth)] as const);
  expect(orderOf([...many, ['z', at(0, 1)]])).toContain('z(late)');
});

it('every exchange begins before it ends, and after all that ended before it', () => {
  const times = fc.array(fc.tuple(fc.nat(50), fc.nat(20)), { maxLength: 30 });
  fc.assert(
    fc.property(times, (spans) => {
      const moments = orderOf(spans.map(([began, took], nth) => [`${nth}`, at(began, began + took)])).split(' ');
      for (const [one, [began]] of spans.entries()) {
        expect(moments.indexOf(`${one}`)).toBeLessThan(moments.indexOf(`/${one}`));
        for (const [other, [start, took]] of spans.entries())
          if (start + took < began) expect(moments.indexOf(`/${other}`)).toBeLessThan(moments.indexOf(`${one}`));
      }
    }),
    { numRuns: 50 },
  );
});
