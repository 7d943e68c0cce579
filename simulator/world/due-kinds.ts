/** The kinds of events, by number: those of the wheel, of which each agent has one coming, and those of the agenda. */

/** What an agent's event is about. */
export const DUE_ARRIVAL = 0;
export const DUE_SIGIL = 1;
export const DUE_HEARTBEAT = 2;
export const DUE_RESYNC = 3;
/** A heartbeat that a sponsor pays, and one and a SIGIL whose payment was late. */
export const DUE_SPONSORED_HEARTBEAT = 4;
export const DUE_LATE_HEARTBEAT = 5;
export const DUE_LATE_SIGIL = 6;

/** What an entry of the agenda is about: of an agent, or (from FAULT on) of the world. */
export const DUE_DEPARTURE = 0;
export const DUE_PROBE = 1;
export const DUE_CHILD = 2;
export const DUE_SPONSORSHIP = 3;
export const DUE_COMPLAINT = 4;
export const DUE_REVIEW = 5;
export const DUE_RESOLUTION = 6;
export const DUE_FAULT = 7;
export const DUE_FAULT_END = 8;
export const DUE_INTERVENTION = 9;
