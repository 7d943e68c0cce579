import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPairs } from '../../results/pairs.js';
import { mergedOverlay, type Overlay, withOverlay } from '../../spec/overlay.js';
import { HOUR_MS } from '../../spec/time.js';
import { CHEAP, loadReference, startInProcess } from '../in-process/reference.js';
import { differences, type Played, playScript } from './play.js';

const { pairs } = readPairs(
  readFileSync(new URL('../../examples/vectors/pairs.json', import.meta.url), 'utf8'),
  'pairs.json',
);

/** Plays the pairs of some clauses, an hour apart; the verdict on each clause. */
async function verdicts(overlay: Overlay = {}, isMeant: (clause: string) => boolean = () => true) {
  const server = startInProcess(await loadReference(), {
    seed: 1,
    numbers: withOverlay(mergedOverlay(CHEAP, overlay)),
  });
  const hour = {
    steps: [{ to: 'control', method: 'POST', path: '/clock/advance', body: { ms: HOUR_MS + 1_000 } }],
  } as const;
  const found = new Map<string, readonly string[]>();
  try {
    for (const [nth, pair] of pairs.entries()) {
      const shown = pair.shows.filter(({ clause }) => isMeant(clause));
      if (shown.length === 0) continue;
      await playScript(server, hour as never, 'hour');
      const played: Played = await playScript(server, pair, `test:${nth}`);
      for (const { clause, expect: expected } of shown)
        found.set(
          `${clause} by pair ${nth}`,
          'reply' in played ? differences(expected, played.reply, played.values) : [played.unplayed],
        );
    }
    return found;
  } finally {
    await server.close();
  }
}

it('every pair passes on the reference', { timeout: 120_000 }, async () => {
  const all = await verdicts();
  expect([...all].filter(([, said]) => said.length > 0)).toEqual([]);
  expect(all.size).toBeGreaterThan(300);
});

it('a pair says what differs on a wrong server', async () => {
  const clause = 'resync.penalty';
  const said = await verdicts({ resync: { beatsPerMissedAnchor: 90 } }, (each) => each === clause);
  expect([...said.values()].flat()).toContain('required_beats is 5490, not 6100');
});
