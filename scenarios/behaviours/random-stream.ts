/**
 * The luck of one agent for one purpose: the random stream that a behaviour is given. Every call uses up one number of it,
 * so what one agent draws never depends on what another one does.
 */
export interface RandomStream {
  /** Uniform between 0 and 1, and never either of them. */
  uniform(): number;
  /** Exponential with this mean. */
  exponential(mean: number): number;
  /** Log-normal with this mean; `sigma` is the standard deviation of the logarithm. */
  logNormal(mean: number, sigma: number): number;
  /** Weibull with this mean; shape 1 is the exponential, below 1 has the heavier tail. */
  weibull(mean: number, shape: number): number;
}
