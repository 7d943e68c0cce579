/** The lives of the agents of a run: when each registered, froze and came back. Pictures are made of them; no file of results has them. */

/** The agents in the order of their scenario, and so by population. */
export interface AgentLives {
  readonly populations: readonly { readonly name: string; readonly count: number }[];
  /** The number of each agent's parent; -1 for a root. */
  readonly parents: readonly number[];
  /** The seconds at which each agent registered, froze, resynced, froze and so on; empty: it never registered. */
  readonly changes: readonly (readonly number[])[];
}
