/**
 * The kinds of due events by number: those on the wheel, one for each agent, and those on the agenda. Outcomes are in
 * operations.ts.
 */

/** On the wheel: an agent's own next event. */
export const DUE_ARRIVAL = 0;
export const DUE_SIGIL = 1;
export const DUE_HEARTBEAT = 2;
export const DUE_RESYNC = 3;
/** A heartbeat that a sponsor pays; a heartbeat and a SIGIL whose payment was late and is confirmed by now. */
export const DUE_SPONSORED_HEARTBEAT = 4;
export const DUE_LATE_HEARTBEAT = 5;
export const DUE_LATE_SIGIL = 6;

/** On the agenda: events of an agent, then, from DUE_FAULT on, of the world. */
export const DUE_DEPARTURE = 0;
export const DUE_PROBE = 1;
export const DUE_CHILD = 2;
export const DUE_SPONSORSHIP = 3;
export const DUE_COMPLAINT = 4;
export const DUE_REVIEW = 5;
export const DUE_RESOLUTION = 6;
export const DUE_REISSUE = 7;
export const DUE_FAULT = 8;
export const DUE_FAULT_END = 9;
export const DUE_INTERVENTION = 10;
export const DUE_REVISION = 11;
export const DUE_ENTRY_PERIOD = 12;
