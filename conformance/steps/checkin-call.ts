/** The answer of the retired check-in (4.15), to every agent in every state. */
import { isFilled } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import type { Trial } from '../trial/trial.js';

/** The clauses that the answer of the retired call shows. */
export const GONE = [
  'checkin.route',
  'checkin.gone',
  'checkin.reply.deprecated',
  'checkin.error.gone',
  'versioning.checkin',
] as const;

/** Asserts the answer of the retired call. */
export function gone(t: Trial, reply: Reply): void {
  t.alsoShows('checkin.route', 'checkin.gone', 'checkin.error.gone', 'versioning.checkin').status(reply, 410);
  t.alsoShows('checkin.gone', 'checkin.error.gone').fieldIs(reply, 'error', isFilled);
  t.alsoShows('checkin.reply.deprecated').field(reply, 'deprecated', true);
}
