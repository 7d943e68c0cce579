/** The page that shows a conformance run and a simulation together. Each also has a page of its own. */
import type { AgentLives } from '../../results/agent-lives.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { ConformanceWriting } from '../conformance/conformance-view.js';
import { clauseContext } from './clauses.js';
import { ConformanceCard, ConformanceView, conformancePlaces } from './conformance.js';
import { LIFE_PLACE, LifeView } from './life.js';
import { html } from './markup.js';
import { PackedResult } from './packed.js';
import { page } from './page.js';
import { SimulationCard, SimulationView, simulationPlaces } from './simulation.js';

/** Both parts on one page, after the life of the agents and a card of each: what a new user sees first. */
export function indexPage(
  conformance: ConformanceResult,
  simulation: SimulationResult,
  writing: ConformanceWriting = {},
  lives?: AgentLives,
): string {
  const [judged, simulated] = [{ result: conformance, writing }, { result: simulation }];
  return page({
    title: 'Agent Identity and Provenance Service: lab report',
    lead: 'A server judged clause by clause over HTTP, and a population of agents simulated under the same rules.',
    places: [
      ...(lives === undefined ? [] : [LIFE_PLACE]),
      ...conformancePlaces(judged),
      ...simulationPlaces(simulated),
    ],
    parts: [
      lives === undefined ? undefined : LifeView({ result: simulation, lives }),
      html`<div class="overview">${ConformanceCard(judged)}${SimulationCard(simulated)}</div>`,
      ConformanceView(judged),
      SimulationView(simulated),
      PackedResult(clauseContext(conformance, writing)),
    ],
    tool_version: conformance.tool_version,
  });
}
