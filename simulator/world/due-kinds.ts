/** The kinds of events, by number: those of the wheel, of which each agent has one coming, and those of the agenda. */

/** What an agent's event is about. */
export const ARRIVE = 0;
export const BUY_SIGIL = 1;
export const BEAT = 2;
export const WORK = 3;
/** A heartbeat that a sponsor pays, and one and a SIGIL whose payment was late. */
export const SPONSORED_BEAT = 4;
export const LATE_BEAT = 5;
export const LATE_SIGIL = 6;

/** What an entry of the agenda is about: of an agent, or (from FAULT on) of the world. */
export const DEPART = 0;
export const PROBE = 1;
export const HATCH = 2;
export const ANSWER = 3;
export const COMPLAIN = 4;
export const REVIEWED = 5;
export const RESOLVED = 6;
export const FAULT = 7;
export const FAULT_OVER = 8;
export const INTERVENE = 9;
