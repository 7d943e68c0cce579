/** Remedies of findings: values that an overlay may have and that help. The file of its kind says what a finding is about. */

import { boundsOf } from '../number-bounds.js';
import { protocolNumbers } from '../protocol.js';
import { shown } from './quantities.js';

const paths: ReadonlySet<string> = new Set(protocolNumbers().map(({ path }) => path));

/** How a value is meant: exactly it, or as a bound. */
type Bound = 'of' | 'of at least' | 'of at most' | 'below';

/**
 * `passport.validityHours of at most 12`; undefined where no overlay may set it so, or where the value is below `least`, with
 * which the number would do nothing.
 */
export function setTo(path: string, bound: Bound, value: number, least = 1): string | undefined {
  if (!paths.has(path)) throw new RangeError(`there is no number ${path}`);
  const { low, high } = boundsOf(path);
  const reached = bound === 'below' ? value - 1 : value;
  return reached < Math.max(low, least) || reached > high ? undefined : `${path} ${bound} ${shown(value)}`;
}

/** The ways that are open, as one remedy: `… , or …`. The last is always open. */
export function eitherOf(...ways: readonly [...(string | undefined)[], string]): string {
  return ways.filter((way) => way !== undefined).join(', or ');
}
