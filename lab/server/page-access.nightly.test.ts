// The page on every screen: light and dark, wide, enlarged and narrow, with a planted mistake in each view that axe-core has to find.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenLab, openLab } from '../../test/fixtures/lab-page.js';
import { expectAccessible, expectPlantedFound, PANELS, type Screen } from '../../test/fixtures/lab-panels.js';

const SCREENS = (['light', 'dark'] as const).flatMap((scheme) =>
  ([1_280, 640, 320] as const).map((width): Screen => [scheme, width]),
);

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());

it.each(Object.keys(PANELS))('has nothing that axe-core finds with every panel open: %s', async (place) => {
  const page = await expectAccessible(open, place, SCREENS);
  await expectPlantedFound(page);
  await page.close();
});

it('has said no error', () => {
  expect(open.errors).toEqual([]);
});
