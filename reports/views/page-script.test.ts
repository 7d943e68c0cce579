import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../results/conformance-result.js';
import { cleanConformance, HOSTILE, hostileConformance } from '../../test/fixtures/results.js';
import { root } from '../../test/source-tree.js';
import { textOfMarkup } from './markup.js';
import { packTranscripts } from './packed.js';
import { PAGE_SCRIPT } from './page-script-bundle.js';
import { TranscriptBlock } from './transcript.js';

function shown(exchanges: readonly Exchange[] = []): string {
  return textOfMarkup(TranscriptBlock({ exchanges, file: 'the file' }));
}

function exchange(more: Partial<Exchange>, body?: string): Exchange {
  const request = { method: 'POST', url: 'http://127.0.0.1/a', headers: { authorization: 'Bearer [API_KEY_1]' } };
  return { request: body === undefined ? request : { ...request, body }, ...more };
}

const reply = { status: 200, headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, body: '{"a":1.50,"a":[]}' };
const EVERY: readonly Exchange[] = [
  exchange({ response: reply, at: '2026-01-01T00:00:00.000Z' }, '{"hash":"0x00"}'),
  exchange({ response: { ...reply, body: '' }, at: '2026-01-01T00:10:00.000Z' }, ''),
  exchange({ failure: 'no reply within 10 s' }),
  exchange({ failure: 'a note', request: { method: 'NOTE', url: '', headers: {} } }),
  exchange({ response: { ...reply, body: HOSTILE } }, HOSTILE),
];

describe('the components', () => {
  it('are shared with a live page: a bundle of them needs nothing of Node', async () => {
    const bundle = await rolldown({ input: join(root, 'reports/views/conformance-summary.ts'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'esm' });
    await bundle.close();
    expect(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : [chunk.fileName]))).toEqual([]);
    expect(output[0].exports).toContain('ConformanceSummary');
  });
});

describe('the script of a page', () => {
  it('can stand in a page: it ends no script, and has no character that a browser reads otherwise', () => {
    expect(PAGE_SCRIPT).not.toMatch(/<\/?script|<!--/iu);
    expect(PAGE_SCRIPT).not.toMatch(/[^\n\x20-\x7e]/u);
  });

  it.each([
    ['every kind of exchange', [{ id: 'a/b', transcript: EVERY }]],
    ['no exchange', [{ id: 'a/b', transcript: [] }]],
    ['the checks of a run', cleanConformance().checks],
    ['hostile text', hostileConformance().checks],
  ])('has of %s all that the command shows', (_, checks) => {
    const rows = packTranscripts(checks);
    for (const { id, transcript } of checks) {
      expect(shown(new Map(rows).get(id))).toBe(shown(transcript));
    }
  });

  it('has all requests of a transcript, long as it is, and of replies and of bodies what is shown', () => {
    const many = Array.from({ length: 90 }, (_, at) => exchange({ response: reply }, `{"beat":${at}}`));
    const statusOnly = { response: { status: 200, headers: {}, body: '' } };
    const kept = many.map((each, at) => (at < 3 || at >= 86 ? each : { ...each, ...statusOnly }));
    const body = (length: number): string => `{"pad":"${'<1é'.repeat(length / 3)}"}`;
    const long = [exchange({ response: { ...reply, body: body(99_000) } }, body(300_000))];
    const cut = [exchange({ response: reply }, `${'a'.repeat(3999)}${'😀'.repeat(90_000)}`)];
    const handing = {
      status: 200,
      headers: {},
      body: '{"ok":true,"deep":[{"other":"nonce-99999","nonce":"nonce-12345"}]}',
    };
    const handed = many.map((each, at) => {
      return at === 40
        ? { ...each, response: handing }
        : at === 50
          ? exchange({ response: reply }, 'nonce-12345')
          : each;
    });
    const checks = [
      { id: 'many', transcript: many },
      { id: 'handed', transcript: handed },
      { id: 'long', transcript: long },
      { id: 'cut', transcript: cut },
    ];
    const rows = packTranscripts(checks);
    expect(new Map(rows).get('many')).toEqual(kept);
    expect(new Map(rows).get('handed')?.[40]?.response?.body).toBe('{"deep":[{"nonce":"nonce-12345"}]}');
    expect(shown(handed)).toContain('NONCE_1=$(value deep.0.nonce)');
    expect(new Map(rows).get('long')?.[0]?.response?.body).toBe(body(99_000));
    for (const { id, transcript } of checks) {
      expect(shown(new Map(rows).get(id))).toBe(shown(transcript));
    }
  });
});

describe('TranscriptBlock', () => {
  it('shows of a command that is too long for a terminal the beginning, without a button to copy it', () => {
    const cut = shown([exchange({ response: reply }, 'x'.repeat(100_001)), exchange({}, 'y')]);
    expect(cut.match(/x{2,}/gu)?.map(({ length }) => length)).toEqual([4000, 4000]);
    expect(cut).toContain('[96,001 characters more; the whole body is in the file]');
    expect(cut).toContain('What is left out here is in the transcript of the file.');
    expect(cut).not.toContain('class="script"');
    const whole = shown([exchange({ response: reply }, 'x'.repeat(30_000))]);
    expect(whole.match(/x{2,}/gu)?.map(({ length }) => length)).toEqual([4000, 30_000]);
    expect(whole).toContain('class="script"');
  });
});
