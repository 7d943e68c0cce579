/** What time it is for a service. Only a clock that `moves` by command can be advanced. */
export interface Clock {
  readonly nowMs: () => number;
  /** Moves the clock forward by whole milliseconds; absent on a clock that moves by itself alone. */
  readonly advance?: (ms: number) => void;
}

/** A clock that moves only when it is told to. */
export function manualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** A clock that runs `factor` times as fast as the machine's, from `startMs` on. It never goes back. */
export function runningClock(startMs: number, factor: number): Clock {
  const originMs = performance.now();
  return { nowMs: () => startMs + Math.floor((performance.now() - originMs) * factor) };
}
