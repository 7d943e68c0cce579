// Every third of the servers that nobody should have to judge; hostile.nightly has the others.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  always,
  closeAfterEach,
  expectJudged,
  hostileAt,
  JSON_TYPE,
  judged,
  listening,
} from '../test/fixtures/hostile-servers.js';

closeAfterEach();

describe('a server that', () => {
  it('there are many kinds of', () => {
    const hostile = hostileAt(() => true);
    expect(new Set(hostile.map(([what]) => what)).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(50);
  });

  it.each(hostileAt((place) => place % 3 === 1))('%s', expectJudged);

  it('redirects to another host is not followed', async () => {
    let asked = 0;
    const other = await listening(
      createServer((_, response) => {
        asked += 1;
        response.end('{}');
      }),
    );
    const { status } = await judged(
      await listening(always(307, '{}', { ...JSON_TYPE, location: `${other}/api/v1/register` })()),
    );
    expect([status, asked]).toEqual([2, 0]);
  });
});
