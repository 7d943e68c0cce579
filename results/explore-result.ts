/** The result of `aips spec explore`: the answers about a small world, each with the shortest script. How they are found is not here. */

/** The version of the shape. It changes when a field changes its meaning or goes. */
export const EXPLORE_SCHEMA = 'aips-lab/explore/1';

/** The files of `--out`, by what they are. Scripts are in a folder of their own. */
export const EXPLORE_FILES = {
  json: 'explore.json',
  sarif: 'explore.sarif',
  summary: 'explore.md',
  dot: 'explore.dot',
  numbers: 'small.json',
} as const;

/** A script that shows an answer. */
export interface ExploredScript {
  /** Its file in the folder of scripts, without its end. */
  readonly name: string;
  /** Its moves in words, the last of which gives the answer. */
  readonly moves: readonly string[];
  /** By move: the row of errors by which it is refused; null if it is accepted. */
  readonly refused: readonly (string | null)[];
  /** The sequence that `aips conform fuzz FILE` plays. */
  readonly sequence: { readonly actions: readonly { readonly op: string }[] };
}

/** The size of the world, and how much of it was seen. */
export interface ExploredWorld {
  readonly agents: number;
  readonly states: number;
  readonly transitions: number;
  /** The most moves from the first state. */
  readonly depth: number;
  /** Whether every reachable state was seen. */
  readonly complete: boolean;
  /** Whether moves were left out, so that rows may be reached by these. */
  readonly quick: boolean;
  /** The numbers that differ from those of the specification, by path: those of the change, and small ones. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** A statement that every transition has to keep. */
interface ExploredInvariant {
  readonly text: string;
  /** Present where it is broken. */
  readonly broken?: ExploredScript;
}

/** Moves after which an agent can never reach a goal again. */
interface ExploredTrap {
  /** The move that closes the way back. */
  readonly move: string;
  /** The transitions that it closes it by. */
  readonly transitions: number;
  readonly script: ExploredScript;
}

/** Whether an agent can reach something again from every state. */
export interface ExploredGoal {
  readonly id: 'active' | 'heartbeat';
  readonly agent: string;
  readonly text: string;
  readonly verdict: 'yes' | 'trap' | 'open';
  /** The states in which the agent exists, and of these the traps and the open ones. */
  readonly states: number;
  readonly trapped: number;
  readonly open: number;
  readonly traps: readonly ExploredTrap[];
}

/** How many steps of the specification a state reaches. */
export interface ExploredSteps {
  readonly reached: number;
  /** Without those that lie outside. */
  readonly total: number;
  /** Those that no state reaches. */
  readonly dead: readonly string[];
  /** Those that lie outside, by the reason. */
  readonly outside: Readonly<Record<string, readonly string[]>>;
  /** The shortest script to each that is reached, by its id. */
  readonly scripts: Readonly<Record<string, ExploredScript>>;
}

/** The price of a way back to an accepted heartbeat, to all agents together. */
interface ExploredPrice {
  readonly lamports: number;
  readonly beats: number;
  /** Anchors of the small world, one of which is at most a minimum interval. */
  readonly anchors: number;
  /** To a state of the condition, and through the moves that pay the price. */
  readonly script: ExploredScript;
  /** The actions at the end of the script that pay it. */
  readonly actions: number;
}

/** The prices of the states in which an agent is in one condition: ways that no other one beats in all three. */
export interface ExploredPrices {
  readonly agent: string;
  readonly condition: string;
  readonly states: number;
  /** The cheapest ways from any of these states, and those from the dearest one. */
  readonly best: readonly ExploredPrice[];
  readonly worst: readonly ExploredPrice[];
}

/** Two accepted operations of different senders at one moment, whose order matters. */
interface ExploredRace {
  readonly first: string;
  readonly second: string;
  readonly stake: 'who pays' | 'who owns' | 'what is accepted';
  readonly states: number;
  /** To the first state in which both are accepted, and through the first operation. */
  readonly script: ExploredScript;
}

/** A way in which a change differs from its base. */
export interface ExploredDifference {
  readonly kind: 'trap' | 'invariant' | 'dead' | 'price' | 'race';
  /** `brought`: the change brings it; `removed`: it has it no more; `moved`: it has another price. */
  readonly how: 'brought' | 'removed' | 'moved';
  /** Names it across runs. */
  readonly id: string;
  readonly text: string;
  readonly script?: ExploredScript;
}

/** A finding of the lint about states, and whether play confirms it. */
export interface ExploredLint {
  readonly id: string;
  readonly state: 'confirmed' | 'contradicted' | 'outside';
  readonly by: string;
}

/** All answers about one specification. */
export interface ExploreResult {
  readonly schema: typeof EXPLORE_SCHEMA;
  readonly tool_version: string;
  /** The file of the change; `spec` without one. */
  readonly change: string;
  readonly world: ExploredWorld;
  readonly invariants: readonly ExploredInvariant[];
  readonly goals: readonly ExploredGoal[];
  /** Parts of the service that were withheld, each with the goals that it leaves. */
  readonly without: readonly { readonly part: string; readonly goals: readonly ExploredGoal[] }[];
  readonly rows: ExploredSteps;
  readonly transitions: ExploredSteps;
  readonly prices: readonly ExploredPrices[];
  readonly races: readonly ExploredRace[];
  /** Of a whole world; else empty. */
  readonly lint: readonly ExploredLint[];
  /** Of a change: its differences from the specification as it is. */
  readonly differences?: readonly ExploredDifference[];
}
