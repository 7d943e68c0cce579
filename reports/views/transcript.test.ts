import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../results/conformance-result.js';
import { textOfMarkup } from './markup.js';
import { Exchanges, shownBody } from './transcript.js';

function transcript(exchanges: readonly Exchange[]): { readonly text: string } {
  return { text: textOfMarkup(Exchanges({ exchanges })) };
}

function get(path: string): Exchange {
  return {
    request: { method: 'GET', url: `http://127.0.0.1${path}`, headers: { accept: '*/*' } },
    response: { status: 200, headers: { 'retry-after': '3' }, body: '{"ok":true}' },
  };
}

describe('shownBody', () => {
  it('lays out JSON and leaves other text', () => {
    expect(shownBody('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(shownBody('plain')).toBe('plain');
  });

  it('cuts a long body and says how much is missing', () => {
    expect(shownBody('x'.repeat(4000))).toBe('x'.repeat(4000));
    expect(shownBody('x'.repeat(204_001))).toBe(
      `${'x'.repeat(4000)}…\n[200,001 characters more; the whole body is in conformance.json]`,
    );
  });
});

describe('transcript', () => {
  it('shows protocol time, and where it goes on', () => {
    const { text } = transcript([
      { ...get('/a'), at: '2026-01-01T00:00:00.000Z' },
      { ...get('/b'), at: '2026-01-01T01:00:00.000Z' },
    ]);
    expect(text).toContain('<span class="why">at 2026-01-01T00:00:00.000Z</span>');
    expect(text).toContain('<p class="why">protocol time goes on by 1 h, to 2026-01-01T01:00:00.000Z</p>');
    expect(transcript([get('/a')]).text).not.toContain('why');
  });

  it('shows what a long transcript left out when it was kept', () => {
    const note: Exchange = { request: { method: 'NOTE', url: '', headers: {} }, failure: '120 exchanges are left out' };
    expect(transcript([note]).text).toBe('<p class="why">120 exchanges are left out</p>');
  });

  it('shows a request with headers and its reply laid out', () => {
    const { text } = transcript([get('/status')]);
    expect(text).toContain('<pre>GET http://127.0.0.1/status\naccept: */*</pre>');
    expect(text).toContain('<pre>status 200\nretry-after: 3\n\n{\n  &quot;ok&quot;: true\n}</pre>');
  });

  it('says why there was no reply', () => {
    const { request } = get('/');
    expect(transcript([{ request, failure: 'connection refused' }]).text).toContain(
      '<pre>no reply: connection refused</pre>',
    );
  });

  it('shows the beginning and the end of a long one, and says what is missing', () => {
    const { text } = transcript(Array.from({ length: 70 }, (_, at) => get(`/${at}`)));
    expect(text.match(/class="exchange"/gu)).toHaveLength(7);
    expect(text).toContain('63 more requests between these');
    expect(text).toContain('1. <b>GET</b>');
    expect(text).toContain('70. <b>GET</b>');
    expect(transcript(Array.from({ length: 8 }, () => get('/'))).text).not.toContain('between these');
  });
});
