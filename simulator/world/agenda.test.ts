import { describe, expect, it } from 'vitest';
import { addToAgenda, createAgenda, nextAgendaSec, takeFromAgenda } from './agenda.js';

describe('an agenda', () => {
  it('hands out what is due, by second and within one by the order of planning', () => {
    const agenda = createAgenda();
    const seconds = [50, 7, 50, 3, 7, 99, 3, 50, 0, 7];
    seconds.forEach((second, i) => {
      addToAgenda(agenda, second, 1, i, second);
    });
    expect(nextAgendaSec(agenda)).toBe(0);
    const taken: number[] = [];
    for (let act = takeFromAgenda(agenda, 50); act !== null; act = takeFromAgenda(agenda, 50)) taken.push(act.agent);
    expect(taken).toEqual([8, 3, 6, 1, 4, 9, 0, 2, 7]);
    expect([takeFromAgenda(agenda, 98), nextAgendaSec(agenda)]).toEqual([null, 99]);
    expect(takeFromAgenda(agenda, 99)).toEqual({ kind: 1, agent: 5, argument: 99 });
    expect(nextAgendaSec(agenda)).toBe(Number.POSITIVE_INFINITY);
  });
});
