/** The page that shows a conformance run and a simulation together. Each also has a page of its own. */
import type { ConformanceResult } from '../conformance-result.js';
import type { ConformanceWriting } from '../conformance-view.js';
import type { SimulationResult } from '../simulation-result.js';
import { conformanceCard, conformancePlaces, conformanceSection } from './conformance-section.js';
import { html } from './markup.js';
import { page } from './page.js';
import { simulationCard, simulationPlaces, simulationSection } from './simulation-section.js';

/** Both parts on one page, with a card of each on top: what a new user sees first. */
export function indexPage(
  conformance: ConformanceResult,
  simulation: SimulationResult,
  writing: ConformanceWriting = {},
): string {
  const overview = html`<div class="overview">${conformanceCard(conformance, writing)}${simulationCard(simulation)}</div>`;
  return page({
    title: 'Agent Identity and Provenance Service: lab report',
    lead: 'A server judged clause by clause over HTTP, and a population of agents simulated under the same rules.',
    places: [...conformancePlaces(conformance, writing), ...simulationPlaces(simulation)],
    parts: [overview, conformanceSection(conformance, writing), simulationSection(simulation)],
    tool_version: conformance.tool_version,
  });
}
