/** The exchanges of one check: their places, and the signatures and requested values in their requests. */

import type { Asked, Signed } from '../../results/conformance-result.js';
import { Transcript } from '../wire/transcript.js';
import { type RawExchange, withSources } from '../wire/wire.js';
import type { Session } from './session.js';

export class Exchanges {
  readonly transcript = new Transcript();
  /** The number of exchanges: the place of the latest one. */
  count = 0;
  /** The place of the latest exchange that is not a look. */
  latest = 0;
  /** Why a request was sent twice. The target may have served both, which may explain later replies. */
  resent: string | undefined;
  readonly #signed: Signed[] = [];
  readonly #answers: Asked[] = [];

  constructor(readonly session: Session) {}

  /** Records an exchange of the check. */
  readonly record = (exchange: RawExchange): void => {
    this.keep(exchange);
    this.latest = this.count;
  };

  /** Records an exchange that is a look. */
  readonly keep = (exchange: RawExchange): void => {
    this.count += 1;
    this.resent ??= exchange.response?.resent;
    if (exchange.response !== undefined) this.session.wire.places.set(exchange.response, this.count);
    const at = this.session.offers.has('clock') ? { at: new Date(this.session.barrier.nowMs).toISOString() } : {};
    this.transcript.add(withSources({ ...exchange, ...at }, { made: this.#signed, answers: this.#answers }));
  };

  /** Records the texts that wallets of the check sign. */
  readonly onSigned = (signed: Signed): void => {
    this.#signed.push(signed);
  };

  /** Records a value that the check read in a reply to a request of another owner. */
  readonly onAsked = (asked: Asked): void => {
    if (!this.#answers.some(({ value }) => value === asked.value)) this.#answers.push(asked);
  };
}
