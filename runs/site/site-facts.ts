/** Gathers what the pages of the site show: the suite's checks, minimal pairs, planted mistakes and recorded exchanges. */

import { allChecks } from '../../conformance/checks/index.js';
import { checksByClause } from '../../conformance/judge/coverage.js';
import { decisionUses } from '../../conformance/judge/decision-use.js';
import { shippedKills } from '../../power/kill-data.js';
import { powerOf } from '../../power/power.js';
import type { RecordedExchange, SiteFacts } from '../../reports/site/facts.js';
import type { Registry } from '../../results/registry.js';
import { packageVersion } from '../host/package.js';
import { pairsByClause } from '../suite/minimal-pairs.js';

/** All that the pages show. `recorded`: an exchange by clause (recorded.ts). */
export function siteFacts(recorded: ReadonlyMap<string, RecordedExchange>, registry: Registry | undefined): SiteFacts {
  const noticed = shippedKills().mistakes.filter(
    ({ requests, checks }) => requests !== undefined || checks !== undefined,
  );
  return {
    version: packageVersion(),
    checks: allChecks.map(({ id, title, needs, clauses, requests }) => ({ id, title, needs, clauses, requests })),
    judges: checksByClause(allChecks),
    uses: new Map(decisionUses(allChecks).map((use) => [use.id, use])),
    pairs: pairsByClause(),
    power: powerOf(new Set(noticed.map(({ id }) => id))).clauses,
    recorded,
    registry,
  };
}
