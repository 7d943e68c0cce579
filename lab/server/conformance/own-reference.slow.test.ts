// The reference that the lab starts for itself. It needs the build.
import { expect, it } from 'vitest';
import { ConformanceDesk } from './conformance-desk.js';

it('offers all that the reference of the demo does, deliveries among it, with and without a change', async () => {
  const desk = new ConformanceDesk(undefined, 1, () => undefined);
  desk.start({ only: ['status/*'], total: 9 });
  await desk.idle();
  expect(desk.result?.target.offers).toEqual(expect.arrayContaining(['clock', 'payments', 'webhooks']));
  const own = desk.result;
  desk.start({ only: ['status/*'], total: 9, overlay: { text: 'dms: { missedAnchorsMax: 90 }', file: 'change.yaml' } });
  await desk.idle();
  expect(desk.change?.result?.target.offers).toEqual(own?.target.offers);
  expect(desk.result).toBe(own);
  expect(desk.watched?.n).toBe(1);
});
