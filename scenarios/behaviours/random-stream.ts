/** The random stream that behaviours draw from. Its numbers come from the simulator, under the seed of the run. */

/**
 * One agent's stream for one purpose. Every call uses one number of it, so the draws of one agent never depend on those of
 * another.
 */
export interface RandomStream {
  /** Uniform between 0 and 1, exclusive. */
  uniform(): number;
  /** Exponential with this mean. */
  exponential(mean: number): number;
  /** Log-normal with this mean; `sigma` is the standard deviation of the logarithm. */
  logNormal(mean: number, sigma: number): number;
  /** Weibull with this mean; shape 1 is the exponential, a smaller shape has a heavier tail. */
  weibull(mean: number, shape: number): number;
}
