// All that was started is closed, in the opposite order, whatever fails meanwhile.
import { expect, it } from 'vitest';
import { Started } from './started.js';

it('closes the last first, and the others where one cannot be closed', async () => {
  const started = new Started();
  const closed: string[] = [];
  started.add(() => closed.push('first'));
  started.add(() => Promise.reject(new Error('stays open')));
  started.add(async () => closed.push('last'));
  await expect(started.close()).rejects.toThrow('stays open');
  expect(closed).toEqual(['last', 'first']);
  await started.close();
  expect(closed).toHaveLength(2);
});
