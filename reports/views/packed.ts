/**
 * Holds in a page what its script unfolds: the evidence for clauses that pass and the transcripts of checks that passed, as JSON,
 * deflated, in Base85, in an element that is not shown. All else is in the page as it is, to be read without script.
 */
import { deflateSync } from 'node:zlib';
import type { CheckResult, ConformanceResult, Exchange } from '../../results/conformance-result.js';
import { isObject, jsonOf } from '../../spec/formats.js';
import { TRANSCRIPTS_FILE } from '../conformance/conformance-view.js';
import { type Captured, valuesOf } from '../conformance/script-values.js';
import { toBase85 } from './base85.js';
import { isPacked } from './check.js';
import { type ClauseContext, FOR_MAX } from './clauses.js';
import { html, type Markup, raw } from './markup.js';
import { type Transcripts, textsApart } from './texts-apart.js';
import { BODY_MAX, isLeftOut, PRETTY_MAX } from './transcript.js';

/** The elements of a page for its script; none where nothing is folded. */
export function PackedResult(context: ClauseContext): Markup {
  const packed = context.result.checks.filter(isPacked);
  return [
    context.folded.length === 0 ? undefined : packedElement('packed-clauses', foldedContext(context)),
    packed.length === 0
      ? undefined
      : packedElement('packed-transcripts', textsApart(packTranscripts(packed)), TRANSCRIPTS_FILE),
  ];
}

/** An element that is not shown, with a value for the script; `file` names one that has the same. */
export function packedElement(id: string, value: unknown, file = ''): Markup {
  const bytes = deflateSync(JSON.stringify(value), { level: 9 });
  return html`<template id=${id} data-file=${file} ...${raw(toBase85(bytes))}></template>`;
}

/** The context without what the page has already, or does not need for its folded clauses. */
function foldedContext(context: ClauseContext): ClauseContext {
  const { result, folded } = context;
  const cut = (clause: ConformanceResult['clauses'][number]) => ({
    ...clause,
    text: '',
    section_title: '',
    evidence: clause.evidence.map((each, at) => (at < FOR_MAX ? each : { ...each, about: '', step: '', check: '' })),
  });
  const checks = result.checks.map((check) => ({
    ...check,
    clauses: [],
    wall_ms: 0,
    transcript: isPacked(check) ? check.transcript.map(() => PACKED) : [],
  }));
  const clauses = result.clauses.filter(({ id }) => folded.includes(id)).map(cut);
  return { ...context, result: { ...result, findings: [], clauses, checks } };
}

/** In the place of each exchange of a transcript that is apart. */
const PACKED: Exchange = { request: { method: '', url: '', headers: {} } };

/**
 * The transcripts of checks by their ids. Of a body of which a page shows only the beginning, spaces stand for what it does not
 * show; of a reply that it leaves out the status is kept, and the values that later requests send, for curl.
 */
export function packTranscripts(checks: readonly Pick<CheckResult, 'id' | 'transcript'>[]): Transcripts {
  return checks.map(({ id, transcript }) => {
    const { captured } = valuesOf(transcript);
    const shown = (exchange: Exchange, at: number): Exchange =>
      isLeftOut(at, transcript.length) ? withHandedOn(exchange, captured[at] ?? []) : exchange;
    return [id, transcript.map((exchange, at) => shownParts(shown(exchange, at)))];
  });
}

function shownParts(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: shownPart(request.body) },
    ...(response === undefined ? {} : { response: { ...response, body: shownPart(response.body) } }),
  };
}

function withHandedOn(exchange: Exchange, captured: readonly Captured[]): Exchange {
  const { response } = exchange;
  if (response === undefined) return exchange;
  const kept = new Set<unknown>(captured.map(({ value }) => value));
  const part = (_: string, value: unknown): unknown =>
    isObject(value) || Array.isArray(value) || kept.has(value) ? value : undefined;
  const body = kept.size === 0 ? '' : JSON.stringify(jsonOf(response.body), part);
  return { ...exchange, response: { ...response, headers: {}, body } };
}

function shownPart(body: string): string {
  return body.length <= PRETTY_MAX ? body : body.slice(0, BODY_MAX).padEnd(body.length);
}
