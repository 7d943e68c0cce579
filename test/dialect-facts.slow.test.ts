import { beforeAll, describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import type { ConformanceResult, ReportedClause } from '../results/conformance-result.js';
import { type Dialect, dialects, protocolOf } from '../spec/dialect.js';
import { dialectFacts } from '../spec/dialect-facts.js';
import { settingsShape } from '../spec/dialect-settings.js';
import { withOverlay } from '../spec/overlay.js';
import { lighter, startReferenceHere, targetOf } from './fixtures/target.js';

/** The facts of the dialect provenonce (D-57): each is judged by evidence, and fails where a server does what it replaces. */

const { provenonce } = dialects;
const facts = dialectFacts.flatMap(({ clauses }) => Object.keys(clauses));

/** The dialect with the names of provenonce (D-01), and without some of its facts. */
function without(settings: readonly string[]): Dialect {
  return Object.fromEntries(Object.entries(provenonce).filter(([name]) => !settings.includes(name))) as Dialect;
}

/** The facts that the suite finds on a reference of a dialect, which it takes for one of provenonce. */
async function judged(dialect: Dialect, only: readonly string[] = facts): Promise<ConformanceResult> {
  const server = await startReferenceHere(withOverlay(lighter), 'devnet', undefined, dialect);
  try {
    const target: Target = {
      ...targetOf(server, 'devnet'),
      dialect: provenonce,
      protocol: protocolOf(provenonce, lighter),
    };
    return await conform(target, { seed: 1, only, toolVersion: 'test', nowWallMs: Date.now });
  } finally {
    await server.close();
  }
}

type States = Readonly<Record<string, ReportedClause['state']>>;
const statesOf = ({ clauses }: ConformanceResult): States =>
  Object.fromEntries(clauses.map(({ id, state }) => [id, state]));

const CHECKED = 'workProofChecks';
let held: ConformanceResult;
let withFacts: States;
let planted: States;

beforeAll(async () => {
  held = await judged(provenonce);
  withFacts = statesOf(held);
  // Children are had for work that only this one setting takes, so its old rule is planted apart.
  const others = statesOf(await judged(without(Object.keys(settingsShape).filter((name) => name !== CHECKED))));
  const own = dialectFacts.flatMap(({ setting, clauses }) => (setting === CHECKED ? Object.keys(clauses) : []));
  const checked = statesOf(await judged(without([CHECKED]), own));
  planted = { ...others, ...Object.fromEntries(own.map((id) => [id, checked[id] ?? 'not-judged'])) };
});

describe('a fact of the dialect provenonce', () => {
  it.each(facts)('[%s] holds on a server that has it, and fails on one that has the old rule', (id) => {
    expect({ withFact: withFacts[id], planted: planted[id] }).toEqual({ withFact: 'holds', planted: 'fails' });
  });

  it('replaces clauses of the text and of decisions, which nobody judges', () => {
    const replaced = dialectFacts.flatMap(({ replaces }) => replaces);
    expect(replaced).toHaveLength(25);
    for (const id of replaced) {
      const clause = held.clauses.find((one) => one.id === id);
      expect(clause, id).toMatchObject({ state: 'excluded', evidence: [] });
      expect(clause?.excluded, id).toMatch(/^replaced by the dialect: \S/);
    }
    expect(held.summary).toMatchObject({ fail: 0, advisory: 0, inconclusive: 0, error: 0 });
  });
});
