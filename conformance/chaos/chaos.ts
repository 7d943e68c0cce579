/**
 * Draws a server that the specification permits: which forms its replies have, in which form its rate limits hold, how late
 * and in which order it answers. The same seed draws the same server. What is drawn is put on a transport; the forms themselves
 * are listed in forms.ts.
 */
import { type RateWindow, rateWindows } from '../../spec/rate-window.js';
import { DAY_MS } from '../../spec/time.js';
import { Draws } from '../trial/random.js';
import type { Transport } from '../wire/transport.js';
import type { PermittedForm } from './form.js';
import { permittedForms } from './forms.js';
import { permitting, type ServiceOf } from './permitting.js';

/** A server that differs from the reference only where the specification is silent. */
export interface Chaos {
  readonly seed: number;
  readonly forms: readonly PermittedForm[];
  readonly rateWindow: RateWindow;
  /** How late replies and requests are at most, in ms; most are not late at all. */
  readonly latencyMsMax: number;
  /** When its clock starts, after the time at which another would, in ms. */
  readonly startsAfterMs: number;
  /** How it writes the names of headers. */
  readonly headerName: (name: string) => string;
}

const LATENCIES_MS = [0, 2, 5] as const;
/** The alias of passports is to be gone after 2026-09-01: a run that starts before that day sees both. */
const START_DAYS = 200;
const headerNames: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
];

/** A form that may cost more judgements than this is drawn for only one in this many of the servers that would have it. */
const LOST_MANY = 60;
const RARE_ONE_IN = 6;

/** The server of a seed. */
export function chaosOf(seed: number): Chaos {
  const draws = new Draws(`chaos:${seed}`);
  const below = (count: number): number => Number(BigInt(`0x${draws.hex(6)}`) % BigInt(count));
  const one = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const groupOf = ({ id, group }: PermittedForm): string => group ?? id;
  const groups = new Set(permittedForms.map(groupOf));
  // In a group, each form is as likely as none of them; forms that leave little to judge are rarer.
  const drawn = new Set(
    [...groups]
      .map((group) => one([undefined, ...permittedForms.filter((form) => groupOf(form) === group)]))
      .filter((form) => form === undefined || form.lost <= LOST_MANY || below(RARE_ONE_IN) === 0),
  );
  return {
    seed,
    forms: permittedForms.filter((form) => drawn.has(form)),
    rateWindow: one(rateWindows),
    latencyMsMax: one(LATENCIES_MS),
    startsAfterMs: below(START_DAYS * DAY_MS),
    headerName: one(headerNames),
  };
}

/** One request in this many is late, and one reply. */
const LATE_ONE_IN = 16;

/** Changes the traffic between the reference and its clients, which makes it the server of a seed. Control calls pass as they are. */
export function chaotic({ seed, forms, latencyMsMax }: Chaos, serviceOf: ServiceOf): (send: Transport) => Transport {
  const draws = new Draws(`chaos:${seed}:latency`);
  const late = async (): Promise<void> => {
    const [chance = 0, share = 0] = draws.bytes(2);
    if (chance % LATE_ONE_IN === 0) await new Promise((resolve) => setTimeout(resolve, (share * latencyMsMax) / 255));
  };
  return (send) => {
    const formed = permitting(send, forms, serviceOf);
    return async (request) => {
      if (latencyMsMax === 0 || serviceOf(request) === undefined) return formed(request);
      await late();
      const reply = await formed(request);
      await late();
      return reply;
    };
  };
}
