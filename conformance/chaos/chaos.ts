/**
 * Draws a server that the specification permits: the forms of its replies and of its rate limits, delays, and the order of its replies. The same
 * seed draws the same server. The drawn forms are applied to a transport; all forms are listed in forms.ts.
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
  /** The largest delay of replies and requests, in turns of the event loop; most have none. */
  readonly latencyMax: number;
  /** How much later its clock starts than usual, in ms. */
  readonly startsAfterMs: number;
  /** How it writes the names of headers. */
  readonly headerName: (name: string) => string;
}

const LATENCIES = [0, 8, 24] as const;
/** The range of start days. The alias of passports ends after 2026-09-01, so a run that starts before sees replies with it and without it. */
const START_DAYS = 200;
const headerNames: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
];

/** All forms, each in one of `count` servers, so that few hide the effect of another. */
export function sharesOf(count: number): readonly (readonly PermittedForm[])[] {
  const shares = Array.from({ length: count }, (): PermittedForm[] => []);
  for (const [nth, form] of permittedForms.entries()) {
    const isFree = (share: readonly PermittedForm[]): boolean =>
      form.group === undefined || share.every(({ group }) => group !== form.group);
    const start = nth % count;
    [...shares.slice(start), ...shares.slice(0, start)].find(isFree)?.push(form);
  }
  return shares;
}

/** A form that loses more than LOST_MANY judgements is drawn RARE_ONE_IN times less often. */
const LOST_MANY = 60;
const RARE_ONE_IN = 6;

/** The server of a seed. */
export function chaosOf(seed: number): Chaos {
  const draws = new Draws(`chaos:${seed}`);
  const below = (count: number): number => Number(BigInt(`0x${draws.hex(6)}`) % BigInt(count));
  const one = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const groupOf = ({ id, group }: PermittedForm): string => group ?? id;
  const groups = new Set(permittedForms.map(groupOf));
  // Each form of a group is as likely as no form of it; forms that leave little to judge are rarer.
  const drawn = new Set(
    [...groups]
      .map((group) => one([undefined, ...permittedForms.filter((form) => groupOf(form) === group)]))
      .filter((form) => form === undefined || form.lost <= LOST_MANY || below(RARE_ONE_IN) === 0),
  );
  return {
    seed,
    forms: permittedForms.filter((form) => drawn.has(form)),
    rateWindow: one(rateWindows),
    latencyMax: one(LATENCIES),
    startsAfterMs: below(START_DAYS * DAY_MS),
    headerName: one(headerNames),
  };
}

/** One request in this many is late, and one reply. Delays are turns and not times, so a busy machine does not make them longer. */
const LATE_ONE_IN = 16;

/** Changes the traffic between the reference and its clients, which makes it the server of a seed. Control calls pass as they are. */
export function chaotic({ seed, forms, latencyMax }: Chaos, serviceOf: ServiceOf): (send: Transport) => Transport {
  const draws = new Draws(`chaos:${seed}:latency`);
  const late = async (): Promise<void> => {
    const [chance = 0, share = 0] = draws.bytes(2);
    if (chance % LATE_ONE_IN !== 0) return;
    for (let turn = 0; turn < (share * latencyMax) / 255; turn += 1) await new Promise(setImmediate);
  };
  return (send) => {
    const formed = permitting(send, forms, serviceOf);
    return async (request) => {
      if (latencyMax === 0 || serviceOf(request) === undefined) return formed(request);
      await late();
      const reply = await formed(request);
      await late();
      return reply;
    };
  };
}
