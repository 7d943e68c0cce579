// Lines of a file of exchanges: what is wrong is named by its key, and a body that is too long makes an exchange that is not judged.
import { describe, expect, it } from 'vitest';
import { BODY_CHARS_MAX, withinBounds } from './exchange.js';
import { exchangeLine } from './ndjson.js';

const request = { method: 'POST', url: 'http://127.0.0.1:1/api/v1/register', headers: {}, body: '{}' };
const reply = { status: 200, headers: {}, body: '{}' };

describe('a line of exchanges', () => {
  it.each([
    [{ began_ms: '2026-01-01T00:00:00Z' }, 'began_ms'],
    [{ began_ms: 1e300 }, 'began_ms'],
    [{ began_ms: -1 }, 'began_ms'],
    [{ began_ms: 2, ended_ms: 1 }, 'ended_ms'],
    [{ client: 7 }, 'client'],
  ])('with %j is refused', (more, key) => {
    const read = exchangeLine({ request, reply, ...more }, 'line 1');
    expect(read).toMatchObject({ ok: false, key });
  });

  it('without times and client is read', () => {
    expect(exchangeLine({ request, reply }, 'line 1')).toMatchObject({ ok: true, value: { reply: { status: 200 } } });
  });

  it.each(['request', 'reply'] as const)('with a %s of a longer body than is kept is not judged', (which) => {
    const long = 'x'.repeat(BODY_CHARS_MAX + 1);
    const line = { request, reply, [which]: { ...(which === 'request' ? request : reply), body: long } };
    const read = exchangeLine(line, 'line 1');
    if (!read.ok) throw new Error(read.message);
    const kept = withinBounds(read.value);
    expect([kept.unread, kept.lacksBody]).toEqual(['body', which === 'request' ? true : undefined]);
    expect(JSON.stringify(kept).length).toBeLessThan(500);
  });
});
