/**
 * The outages of agents as events in the order of time, for a trace. The world draws an agent's own outages only when it asks for them, so
 * this draws the same ones for itself; it changes nothing.
 */

import { drawDurationSec } from '../../scenarios/behaviours/duration.js';
import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import { CountedStream } from '../chance/counted-stream.js';
import { PURPOSES } from '../chance/counter-random.js';
import { type Agenda, addToAgenda, createAgenda, nextAgendaSec, takeFromAgenda } from '../world/agenda.js';
import { hasDeparted } from '../world/features.js';
import { CUT_OFF, REGISTER } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';

/** An outage of an agent begins or ends. Those by which a fault cuts agents off are events of the world. */
interface OutageEvent {
  readonly second: number;
  readonly agent: number;
  readonly event: 'outage' | 'outage-end' | 'cut-off-end';
}

const BEGIN = 0;
const END = 1;
const CUT_OFF_END = 2;

/** The outages of the agents of one world that has all of them. */
export class OutageEvents {
  readonly #world: World;
  readonly #due: Agenda = createAgenda();
  readonly #drawn: Int32Array;

  constructor(world: World) {
    this.#world = world;
    this.#drawn = new Int32Array(world.agents.size);
  }

  /** Follows an event of the world: the registration of an agent with outages, or a fault that cuts one off. */
  follow(second: number, agent: number, what: number): void {
    if (what === REGISTER) this.#drawBegin(agent, second);
    if (what === CUT_OFF) this.#addCutOffEnd(agent);
  }

  /** The events up to a second that were not given yet. Those of the second itself precede whatever agents do in it. */
  *until(second: number): Generator<OutageEvent> {
    while (nextAgendaSec(this.#due) <= second) {
      const at = nextAgendaSec(this.#due);
      const entry = takeFromAgenda(this.#due, at);
      if (entry === null) return;
      const { agent, kind } = entry;
      if (hasDeparted(this.#world.features, agent)) continue;
      if (kind === CUT_OFF_END) {
        // Another fault may have begun meanwhile; it ends later.
        if (this.#cutOffUntilSec(agent) === at) yield { second: at, agent, event: 'cut-off-end' };
        continue;
      }
      if (kind === BEGIN) this.#drawEnd(agent, at);
      else this.#drawBegin(agent, at);
      yield { second: at, agent, event: kind === BEGIN ? 'outage' : 'outage-end' };
    }
  }

  #drawBegin(agent: number, second: number): void {
    const { outages } = populationOf(this.#world, agent);
    if (outages !== null)
      addToAgenda(this.#due, second + drawDurationSec(outages.up, this.#stream(agent)), BEGIN, agent);
  }

  #drawEnd(agent: number, second: number): void {
    const { outages } = populationOf(this.#world, agent);
    if (outages !== null)
      addToAgenda(this.#due, second + drawDurationSec(outages.down, this.#stream(agent)), END, agent);
  }

  #addCutOffEnd(agent: number): void {
    addToAgenda(this.#due, this.#cutOffUntilSec(agent), CUT_OFF_END, agent);
  }

  #cutOffUntilSec(agent: number): number {
    return this.#world.features?.cutOffUntilSec[agent] ?? 0;
  }

  #stream(agent: number): RandomStream {
    return new CountedStream(this.#world.streams.keyOf(agent), PURPOSES.outage, this.#drawn, agent);
  }
}
