/**
 * The components that static pages and a live page share: pure functions from result types to markup, each with one argument, its
 * props, so that a template takes them as a call or as an element. They need nothing of Node. Templates are `html` of markup.ts.
 *
 * - parts.ts: VerdictBanner, Figures, Facts, Note, Command, Badge, PassBadge, DataTable, OverviewCard, mono
 * - chart.ts: ChartFigure (lines, areas, bars), ArmBands; chart-reader.ts: readCharts gives charts a cursor
 * - matrix.ts: ClauseMatrix, StateBar, StateKey
 * - check.ts: CheckDetails, CheckCard, CheckFacts, VerdictBadge; transcript.ts: TranscriptBlock, Exchanges
 * - clauses.ts: ClauseSections, ClauseBody, clauseContext; findings.ts: FindingCards
 * - conformance.ts, simulation.ts, sweep.ts, search.ts: the whole view, its card and its verdict
 *
 * STYLE of style.ts has the look of all of them, light and dark.
 */

export { ArmBands, type Band, ChartFigure } from './chart.js';
export { readCharts } from './chart-reader.js';
export { CheckCard, CheckDetails, CheckFacts, VerdictBadge } from './check.js';
export { ClauseBody, type ClauseContext, ClauseSections, clauseContext } from './clauses.js';
export { ConformanceCard, ConformanceView, FirstStep } from './conformance.js';
export { FindingCards } from './findings.js';
export { anchorOf, html, type Markup, show, textOfMarkup } from './markup.js';
export { ClauseMatrix, StateBar, StateKey } from './matrix.js';
export {
  Badge,
  Command,
  DataTable,
  Facts,
  Figures,
  mono,
  Note,
  OverviewCard,
  PassBadge,
  VerdictBanner,
} from './parts.js';
export { SearchCard, SearchView, searchVerdict } from './search.js';
export { SimulationCard, SimulationView, simulationVerdict } from './simulation.js';
export { STYLE } from './style.js';
export { EstimateBands, SweepCard, SweepView, sweepVerdict } from './sweep.js';
export { Exchanges, TranscriptBlock } from './transcript.js';
