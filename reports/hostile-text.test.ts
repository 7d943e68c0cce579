// Whatever a result quotes from a server, a file or a name, no writer hands on what acts on a terminal or hides from a reader.
import { describe, expect, it } from 'vitest';
import type { ResponseResult, SearchResult } from '../results/search-result.js';
import { SPEC_CHECK_SCHEMA, type SpecCheck } from '../results/spec-check-result.js';
import { SPEC_DIFF_SCHEMA, type SpecDiff } from '../results/spec-diff-result.js';
import type { Comparison, SweepSummary } from '../results/sweep-result.js';
import { quietJson } from '../results/visible.js';
import { HOSTILE, hostileConformance, hostileSimulation } from '../test/fixtures/results.js';
import { badge } from './charts/badge.js';
import { chartFile } from './charts/chart-file.js';
import { comparedReport, compareReports } from './conformance/conformance-diff.js';
import {
  conformanceDiffConsole,
  conformanceDiffJson,
  conformanceDiffMarkdown,
} from './conformance/conformance-diff-text.js';
import { conformanceJson } from './conformance/conformance-json.js';
import { conformanceSummary } from './conformance/console.js';
import { ctrf } from './conformance/ctrf.js';
import { curlScript } from './conformance/curl.js';
import { junit } from './conformance/junit.js';
import { conformanceMarkdown } from './conformance/markdown.js';
import { sarif } from './conformance/sarif.js';
import { comparisonText } from './experiment/comparison-console.js';
import { responseText, searchText } from './experiment/search-console.js';
import { sensitivityText } from './experiment/sensitivity-console.js';
import { sweepText } from './experiment/sweep-console.js';
import { seriesCsv } from './simulation/series-csv.js';
import { simulationSummary } from './simulation/simulation-console.js';
import { manifestJson, summaryJson } from './simulation/summary-json.js';
import { specCheckConsole, specCheckJson, specCheckMarkdown } from './specification/spec-check-text.js';
import { specDiffMarkdown } from './specification/spec-diff-markdown.js';
import { specDiffConsole, specDiffJson } from './specification/spec-diff-text.js';
import { csvPieces } from './text/tidy-table.js';
import { conformancePage } from './views/conformance-page.js';
import { indexPage } from './views/index-page.js';
import { reportPage } from './views/report-page.js';
import { simulationPage } from './views/simulation-page.js';
import { specDiffPage } from './views/spec-diff-page.js';

const conformance = hostileConformance();
const simulation = hostileSimulation();
const compared = comparedReport.parse(conformance);
const before = { ...compared, clauses: compared.clauses.map((clause) => ({ ...clause, state: 'holds' as const })) };
const clauseDiff = compareReports(before, {
  ...compared,
  clauses: before.clauses.map((one) => ({ ...one, state: 'fails' })),
});

const specDiff: SpecDiff = {
  schema: SPEC_DIFF_SCHEMA,
  tool_version: HOSTILE,
  from: HOSTILE,
  to: HOSTILE,
  numbers: [{ path: HOSTILE, unit: HOSTILE, from: 60, to: 30 }],
  parts: [{ path: HOSTILE, from: HOSTILE, to: HOSTILE }],
  statements: { added: [HOSTILE], removed: [HOSTILE], changed: [HOSTILE] },
  clauses: [{ id: HOSTILE, section: HOSTILE, text: HOSTILE }],
  errors: [HOSTILE],
  endpoints: [HOSTILE],
  checks: [HOSTILE],
  mutants: [HOSTILE],
  findings: { appear: [{ id: HOSTILE, severity: 'error', arithmetic: HOSTILE }], vanish: [] },
  replicates: 8,
  seed: 1,
  effects: [
    { id: HOSTILE, label: HOSTILE, unit: 'share', scenario: HOSTILE, from: 0, to: 1, difference: 1, half_width: 0 },
  ],
  unmeasured: [{ scenario: HOSTILE, reason: HOSTILE }],
};
const specCheck: SpecCheck = {
  schema: SPEC_CHECK_SCHEMA,
  tool_version: HOSTILE,
  change: HOSTILE,
  steps: [
    { name: HOSTILE, looked: HOSTILE, unable: HOSTILE, faults: [{ id: HOSTILE, text: HOSTILE, accepted: HOSTILE }] },
  ],
  stale: [HOSTILE],
  diff: specDiff,
  exit_status: 1,
};
const goal = { text: HOSTILE, unit: 'share', mean: 1, t95: [0, 1], state: 'reached' };
const point = { set: { [HOSTILE]: HOSTILE }, runs: 1, seed: 1, goals: [goal], extreme: { measure: HOSTILE, ...goal } };
const policy = {
  policy: HOSTILE,
  class: HOSTILE,
  confirmed: point,
  verdict: 'cheapest',
  stopped: 'points',
  starts: null,
  more: null,
};

// Of these, only the fields that their writers read.
const sweep = {
  name: HOSTILE,
  question: HOSTILE,
  replicates: 1,
  arms: [{ name: HOSTILE }],
  estimates: [
    {
      arm: 0,
      measure: HOSTILE,
      group: HOSTILE,
      time_ms: null,
      mean: 1,
      t95: [0, 1],
      bootstrap95: null,
      n: 1,
      unit: 'share',
    },
  ],
  expectations: [{ text: HOSTILE, arm: 0, holds: false, measured: 1 }],
  failures: [{ arm: 0, replicate: 0, seed: 1, error: HOSTILE }],
} as unknown as SweepSummary;
const comparison = {
  arms: [HOSTILE, HOSTILE],
  measure: HOSTILE,
  group: HOSTILE,
  verdict: 'higher',
  means: [1, 2],
  difference: 1,
  holm95: [0, 1],
  p_holm: 1,
  effect: null,
  n: [1, 1],
  unit: 'share',
} as unknown as Comparison;
const found = {
  name: HOSTILE,
  question: HOSTILE,
  points: 1,
  stopped: 'reached',
  starts: null,
  best: point,
  confirmed: point,
  reached: true,
};
const response = {
  name: HOSTILE,
  question: HOSTILE,
  population: HOSTILE,
  life: [HOSTILE],
  policies: [policy],
  dominated_prices: [],
  classes_without_life: [],
  left: [{ policy: HOSTILE, reason: HOSTILE }],
} as unknown as ResponseResult;
const [transcript = []] = conformance.checks.map((check) => check.transcript);

const writers: Readonly<Record<string, () => string | undefined>> = {
  badge: () => badge(conformance),
  chartFile: () => chartFile(simulation, HOSTILE) ?? '',
  comparisonText: () => comparisonText([comparison]),
  conformanceDiffConsole: () => conformanceDiffConsole(clauseDiff),
  conformanceDiffJson: () => conformanceDiffJson(clauseDiff),
  conformanceDiffMarkdown: () => conformanceDiffMarkdown(clauseDiff),
  conformanceJson: () => conformanceJson(conformance),
  conformanceMarkdown: () => conformanceMarkdown(conformance),
  conformancePage: () => conformancePage(conformance),
  conformanceSummary: () => conformanceSummary(conformance, { colour: false }),
  csvPieces: () => [...csvPieces([{ name: HOSTILE, type: 'text', about: HOSTILE, cell: () => HOSTILE }], [1])].join(''),
  ctrf: () => ctrf(conformance),
  curlScript: () => curlScript(transcript),
  indexPage: () => indexPage(conformance, simulation),
  junit: () => junit(conformance),
  manifestJson: () => manifestJson(simulation.manifest),
  reportPage: () => reportPage([{ kind: 'simulation', name: HOSTILE, result: simulation }], HOSTILE),
  responseText: () => responseText(response),
  sarif: () => sarif(conformance),
  searchText: () => searchText(found as unknown as SearchResult),
  sensitivityText: () => sensitivityText(HOSTILE, [{ measure: HOSTILE, effects: [] }]),
  seriesCsv: () => seriesCsv(simulation),
  simulationPage: () => simulationPage(simulation),
  simulationSummary: () => simulationSummary(simulation, { colour: false }),
  specCheckConsole: () => specCheckConsole(specCheck),
  specCheckJson: () => specCheckJson(specCheck),
  specCheckMarkdown: () => specCheckMarkdown(specCheck),
  specDiffConsole: () => specDiffConsole(specDiff),
  specDiffJson: () => specDiffJson(specDiff),
  specDiffMarkdown: () => specDiffMarkdown(specDiff),
  specDiffPage: () => specDiffPage(specDiff),
  summaryJson: () => summaryJson(simulation),
  sweepText: () => sweepText(sweep),
};

/** Control characters except tabs and line ends, separators of lines, and changes of the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/u;

describe('hostile text', () => {
  it.each(Object.entries(writers))('is harmless as %s writes it', (_, write) => {
    expect(HIDDEN.exec(write() ?? '')).toBeNull();
  });

  it('is the same value in quiet JSON', () => {
    const value = { [HOSTILE]: [HOSTILE, '##[error]x ##vso[task]'] };
    const json = quietJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/##/);
  });
});
