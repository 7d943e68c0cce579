// The moving picture of the front page is the one that the simulation gives, and small.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lifeOfPopulation } from './life.js';

it('docs/figures/life.svg is up to date: npm run picture writes it', async () => {
  const kept = readFileSync(new URL('../../docs/figures/life.svg', import.meta.url), 'utf8');
  expect(await lifeOfPopulation()).toBe(kept);
  expect(kept.length).toBeLessThan(100_000);
  expect(kept.match(/<circle /g)).toHaveLength(153);
  // It stands still for a reader who wants less motion.
  expect(kept.slice(0, kept.indexOf('@media(prefers-reduced-motion:no-preference)'))).not.toContain('animation');
  expect(kept).not.toMatch(/<script|href=|url\(/);
});
