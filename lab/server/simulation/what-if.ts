/** Changes of rules that the page writes into the text of a scenario for its user: which numbers there are, and the text with other ones. */

import { Document, isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';
import { scenarioUnder } from '../../../runs/simulation/settings.js';
import type { Scenario } from '../../../scenarios/scenario.js';
import { parseScenario } from '../../../scenarios/schema.js';
import { parseDurationSec } from '../../../scenarios/units.js';
import { isSimulated } from '../../../simulator/run/number-effect.js';
import { clauseById } from '../../../spec/clauses/index.js';
import { readYaml } from '../../../spec/document.js';
import { boundsOf, isFixed, unitOf } from '../../../spec/number-bounds.js';
import { clausesOfNumber } from '../../../spec/numbers.js';
import { mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../../spec/overlay.js';
import { type Protocol, protocol, protocolNumbers } from '../../../spec/protocol.js';

const FILE = 'scenario.yaml';

/** A rule that can be changed: a number of the protocol, or all fees of a section together. */
export interface Rule {
  readonly section: string;
  readonly name: string;
  readonly paths: readonly string[];
  readonly unit: string;
  /** The numbers that the scenario has at the moment. */
  readonly values: readonly number[];
  readonly low: number;
  readonly high: number;
  /** It cannot change during a run. */
  readonly fixed: boolean;
  /** The clauses that give the numbers, each once. */
  readonly clauses: readonly { readonly id: string; readonly section: string; readonly text: string }[];
}

/** The rules with the numbers that a scenario has at a moment (in seconds); with those of the text of the protocol where the scenario has mistakes. */
export function rulesOf(text: string, sec = 0): readonly Rule[] {
  const parsed = parseScenario(text, FILE);
  const numbers = protocolNumbers(parsed.ok ? protocolAt(parsed.value, sec) : protocol).filter(({ path }) =>
    isSimulated(path),
  );
  const single = numbers.map(({ path, value }): Rule => {
    const [section = '', ...name] = path.split('.');
    const is = { unit: unitOf(path), ...boundsOf(path), fixed: isFixed(path), clauses: givenBy([path]) };
    return { section, name: name.join('.'), paths: [path], values: [value], ...is };
  });
  return [...new Set(single.map(({ section }) => section))].flatMap((section) => {
    const own = single.filter((rule) => rule.section === section);
    const fees = own.filter(({ name, unit }) => unit === 'lamports' && name.endsWith('FeeLamports'));
    const [first] = fees;
    if (first === undefined || fees.length < 2) return own;
    const all = { paths: fees.flatMap(({ paths }) => paths), values: fees.flatMap(({ values }) => values) };
    return [{ ...first, name: 'all fees', ...all, clauses: givenBy(all.paths) }, ...own];
  });
}

/** The clause that gives each of some numbers. */
function givenBy(paths: readonly string[]): Rule['clauses'] {
  const ids = new Set(paths.map((path) => clausesOfNumber(path)[0] ?? ''));
  return [...ids].map((id) => {
    const { section, text } = clauseById(id);
    return { id, section, text };
  });
}

/** A change from a moment on: numbers times a factor, or to another number. */
interface RuleChange {
  readonly paths: readonly string[];
  readonly how: 'times' | 'to';
  readonly value: number;
  /** A duration such as `3d`; `0s`: the scenario begins with it. */
  readonly at: string;
}

/** The text of a scenario with a change written into it; the rest of it stays as it is. A Failure says why the scenario does not take it. */
export function withChange(text: string, { paths, how, value, at }: RuleChange): string {
  const sec = parseDurationSec(at) ?? 0;
  const before = protocolAt(scenarioUnder(text, FILE, { overlay: null, set: {} }), sec);
  const numbers = new Map(protocolNumbers(before).map((each) => [each.path, each.value]));
  const changes = paths.map((path): readonly [string[], number] => [
    path.split('.'),
    how === 'to' ? value : Math.round((numbers.get(path) ?? 0) * value),
  ]);
  const document = readYaml(text).document as Document;
  const key = sec === 0 ? 'protocol' : 'interventions';
  const place = sec === 0 ? ['protocol'] : ['interventions', changeAt(document, sec), 'set'];
  if (sec > 0 && !document.hasIn(place.slice(0, 2))) {
    const set = changes.reduce<Overlay>(
      (all, [path, number]) => mergedOverlay(all, overlayOf(path.join('.'), number)),
      {},
    );
    const added = document.createNode({ kind: 'protocol', at, set }) as YAMLMap;
    (added.get('set', true) as unknown as YAMLMap).flow = true;
    if (!document.has('interventions')) document.set('interventions', document.createNode([]));
    document.addIn(['interventions'], added);
  } else for (const [path, number] of changes) document.setIn([...place, ...path], number);
  const changed = withKey(text, document, key);
  scenarioUnder(changed, FILE, { overlay: null, set: {} });
  return changed;
}

/** The protocol of a scenario at a moment, after the interventions until then. */
function protocolAt({ protocol: first, interventions }: Scenario, sec: number): Protocol {
  const until = interventions.filter((each) => each.kind === 'protocol' && each.atSec <= sec);
  return until
    .toSorted((a, b) => a.atSec - b.atSec)
    .reduce((now, each) => (each.kind === 'protocol' ? withOverlay(each.set, now) : now), first);
}

/** The place in the list of the change of the protocol at a moment; the end of the list where there is none. */
function changeAt(document: Document, sec: number): number {
  const list = (document.toJS() as { readonly interventions?: readonly Record<string, unknown>[] }).interventions ?? [];
  const found = list.findIndex(({ kind, at }) => kind === 'protocol' && parseDurationSec(String(at)) === sec);
  return found < 0 ? list.length : found;
}

/** A text with one of its keys as a changed document has it; a new key comes last. Comments around the key are in the text that stays. */
function withKey(text: string, document: Document, key: string): string {
  const root = document.contents;
  if (!isMap(root) || root.flow === true) return document.toString({ lineWidth: 0 });
  const pair = root.items.find((each) => (isScalar(each.key) ? each.key.value : each.key) === key) as Pair<Node, Node>;
  const [from, to] = [pair.key.range?.[0], pair.value?.range?.[1]];
  Object.assign(pair.key, { commentBefore: undefined, spaceBefore: false });
  Object.assign(pair.value ?? {}, { comment: undefined });
  const alone = new Document({});
  (alone.contents as unknown as YAMLMap).items.push(pair);
  const written = alone.toString({ lineWidth: 0 });
  if (from === undefined || to === undefined) return `${text.trimEnd()}\n\n${written}`;
  const ends = text[to - 1] === '\n' ? written : written.trimEnd();
  return `${text.slice(0, from)}${ends}${text.slice(to)}`;
}
