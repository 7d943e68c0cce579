// The simulator as a library: a program plays the same scenario with two reserves.
//
//   node docs/examples/simulate.mjs

import { readFileSync } from 'node:fs';
import { describeProblem, parseScenario, simulate } from 'aips-lab/simulator';
import { behaviours } from './frugal.mjs';

const text = readFileSync(new URL('frugal.yaml', import.meta.url), 'utf8');

for (const reserve of [50_000_000, 100_000_000]) {
  const parsed = parseScenario(text.replace('50000000', String(reserve)), 'frugal.yaml');
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  const { result, agents } = simulate(parsed.value, { seed: 7, behaviours });
  const own = [...agents()].filter(({ population }) => population === 'frugal');
  const days = own.map((agent) => ((agent.first_freeze_ms ?? result.manifest.simulated_ms) - agent.registered_ms) / 86_400_000);
  const mean = days.reduce((sum, each) => sum + each, 0) / days.length;
  console.log(`reserve ${reserve / 1e9} SOL: alive for ${mean.toFixed(2)} days, ${result.manifest.event_hash.slice(0, 16)}`);
}
