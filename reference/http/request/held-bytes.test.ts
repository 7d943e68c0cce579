import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { HeldBytes } from './held-bytes.js';

it('closes the connections that have held bytes longest, and only as many as exceed the bound', () => {
  const held = new HeldBytes(100);
  const [first, second, third] = [new Socket(), new Socket(), new Socket()];
  held.set(first, 10);
  held.set(second, 40);
  held.set(first, 50);
  expect(held.total).toBe(90);
  held.set(third, 30);
  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  held.set(second, 0);
  held.set(first, 0);
  expect(held.total).toBe(30);
});
