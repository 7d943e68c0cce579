/** The page of a simulation alone. Its content is in simulation.ts. */
import { countText, durationText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import { page } from './page.js';
import { SimulationView, simulationPlaces } from './simulation.js';

/** A simulation as one HTML file. Runs of the same scenario, seed and version give the same bytes. */
export function simulationPage(result: SimulationResult): string {
  const { manifest } = result;
  return page({
    title: 'Simulation report',
    lead: `${manifest.scenario.name}: ${countText(manifest.agents, 'agent')}, ${durationText(manifest.simulated_ms)} of protocol time, seed ${manifest.seed}.`,
    places: simulationPlaces({ result }).slice(1),
    parts: [SimulationView({ result })],
    tool_version: manifest.versions.aips_lab,
  });
}
