// The thread that measures effects. It needs the build.
import { expect, it } from 'vitest';
import { measureScenario } from './effects.js';
import { measureInThread } from './effects-thread.js';
import { presentSide, sideOfText } from './spec-side.js';

const measurement = [
  'epoch-of-life',
  presentSide(),
  sideOfText('dms: { missedAnchorsMax: 90 }', 'change.yaml'),
  { replicates: 2, seed: 1 },
] as const;

it('measures what the same call does here, while this thread goes on', async () => {
  const measured = measureInThread([...measurement], new AbortController().signal);
  const turn = new Promise((resolve) => setImmediate(() => resolve('this thread')));
  expect(await Promise.race([measured, turn])).toBe('this thread');
  expect(await measured).toEqual(measureScenario(...measurement));
  expect((await measured)?.effects.some(({ difference }) => difference !== 0)).toBe(true);
});

it('ends without effects when it is stopped', async () => {
  const stopping = new AbortController();
  const measured = measureInThread([...measurement], stopping.signal);
  stopping.abort();
  expect(await measured).toBeUndefined();
});
