/**
 * The base of every random stream here: each sample is made of one uniform number. Where that number comes from,
 * subclasses say.
 */

import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import { exponential, logNormal, weibull } from './samplers.js';

/** A random stream whose samples each use one uniform number. */
export abstract class InversionStream implements RandomStream {
  abstract uniform(): number;

  exponential(mean: number): number {
    return exponential(this.uniform(), mean);
  }

  logNormal(mean: number, sigma: number): number {
    return logNormal(this.uniform(), mean, sigma);
  }

  weibull(mean: number, shape: number): number {
    return weibull(this.uniform(), mean, shape);
  }
}
