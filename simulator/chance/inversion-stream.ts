import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import { exponential, logNormal, weibull } from './samplers.js';

/** Luck whose every sample is made of one uniform number. */
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
