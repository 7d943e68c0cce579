import { describe, expect, it } from 'vitest';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { threadsFor } from './play-threads.js';

function asked(threads: number, cores: number, workers?: number, scenario = smallScenario([{}])) {
  const messages: string[] = [];
  return [threadsFor(scenario, { threads, workers }, (why) => messages.push(why), cores), ...messages];
}

describe('the number of threads', () => {
  it('is what was asked for, within the cores', () => {
    expect(asked(1, 1)).toEqual([1]);
    expect(asked(2, 2)).toEqual([2]);
    expect(asked(3, 8, 2)).toEqual([3]);
  });

  it('is at most what the cores have beside runs side by side, and no more than there are shares', () => {
    expect(asked(4, 2)).toEqual([2, '--threads 4: there are 2 cores: played in 2 threads.']);
    const three = '--threads 3: there are 4 cores for 3 runs side by side: played in one thread.';
    expect(asked(3, 4, 3)).toEqual([1, three]);
    expect(asked(100, 128)[0]).toBe(64);
  });

  it('is one where agents are coupled, and says by what', () => {
    const flagging = {
      every: { distribution: 'fixed', meanSec: 60 },
      targets: 'agents',
      assertedClass: 'narrow_task',
    } as const;
    const complaints = smallScenario([{ flagging }]);
    const why = (what: string) => `--threads 2: small has ${what}, which couple its agents: played in one thread.`;
    expect(asked(2, 8, 1, complaints)).toEqual([1, why('complaints')]);
    const child = { name: 'children', spawned: true, arrivals: { pattern: 'spawned' } } as const;
    expect(asked(2, 8, 1, smallScenario([{}, child]))).toEqual([1, why('families')]);
    const own = { policy: 'own', behaviour: 'mine', options: {} } as const;
    expect(asked(2, 8, 1, smallScenario([{ heartbeat: own }]))).toEqual([1, why('behaviours of your own')]);
  });
});
