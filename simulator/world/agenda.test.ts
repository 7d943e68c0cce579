import { describe, expect, it } from 'vitest';
import { createAgenda, nextActSec, planAct, takeAct } from './agenda.js';

describe('an agenda', () => {
  it('hands out what is due, by second and within one by the order of planning', () => {
    const agenda = createAgenda();
    const seconds = [50, 7, 50, 3, 7, 99, 3, 50, 0, 7];
    seconds.forEach((second, i) => {
      planAct(agenda, second, 1, i, second);
    });
    expect(nextActSec(agenda)).toBe(0);
    const taken: number[] = [];
    for (let act = takeAct(agenda, 50); act !== null; act = takeAct(agenda, 50)) taken.push(act.agent);
    expect(taken).toEqual([8, 3, 6, 1, 4, 9, 0, 2, 7]);
    expect([takeAct(agenda, 98), nextActSec(agenda)]).toEqual([null, 99]);
    expect(takeAct(agenda, 99)).toEqual({ kind: 1, agent: 5, argument: 99 });
    expect(nextActSec(agenda)).toBe(Number.POSITIVE_INFINITY);
  });
});
