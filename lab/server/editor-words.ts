/** The words that an editor of the page offers at a place of a text in YAML: keys and values that the schema has there, each with its meaning. */

import { isMap, isPair, isScalar, type Node, type Pair, visit } from 'yaml';
import { optionGroup } from '../../scenarios/adaptation.js';
import { goals } from '../../scenarios/goals.js';
import { type MeasureName, measures } from '../../scenarios/measures.js';
import { readYaml } from '../../spec/document.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { identityClasses } from '../../spec/vocabulary.js';

/** A word that may be written, and what it means. */
interface OfferedWord {
  readonly text: string;
  readonly about: string;
  readonly kind: 'key' | 'value';
}

/** The words at a place. */
export interface PlaceWords {
  /** The place of the word that is there; both ends are the same where there is none. */
  readonly from: number;
  readonly to: number;
  readonly words: readonly OfferedWord[];
  /** The meaning of the word that is there; empty where it has none. */
  readonly about: string;
}

type Schema = Readonly<Record<string, unknown>>;
type Step = Pair | { readonly items: unknown[] };

/** Stands for the word at the place while the text is read. */
const MARK = 'the-word-at-the-cursor';

/** The words at an offset of a text whose schema is a JSON Schema. */
export function wordsAt(text: string, at: number, schema: Schema): PlaceWords {
  const before = /[A-Za-z0-9_][\w.-]*$/.exec(text.slice(0, at))?.[0] ?? '';
  const from = at - before.length;
  const to = at + (/^[\w.-]*/.exec(text.slice(at))?.[0].length ?? 0);
  const written = text.slice(from, to);
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const nothing = { from, to, words: [], about: '' };
  if (/(^|\s)#/.test(line)) return nothing;
  // At the beginning of a line a word is a key: else the next line would be a part of it.
  const begins = /^\s*(- +)*$/.test(line);
  const colon = begins && !/^\s*:/.test(text.slice(to)) ? ':' : '';
  const { document } = readYaml(`${text.slice(0, from)}${MARK}${colon}${text.slice(to)}`);
  const place = placeOf(document.contents as Node | null);
  if (place === undefined) return nothing;
  const file = (document.toJS() ?? {}) as Schema;
  const { forms, holder, key } = formsAt(schema, place.steps);
  const words = place.isKey ? keysOf(forms, place.siblings) : valuesOf(forms, holder, key, file, written);
  // Alone in what would be a map, it may as well be a value.
  if (place.isKey && begins && place.siblings.length === 0) words.push(...valuesOf(forms, holder, key, file, written));
  const known = place.isKey ? keysOf(forms, []) : words;
  const found = known.find((word) => word.text === written);
  return { from, to, words, about: found?.about ?? (place.isKey ? '' : describe(forms)) };
}

interface Place {
  /** Maps' pairs and lists from the root to the word. */
  readonly steps: readonly Step[];
  readonly isKey: boolean;
  /** Other keys of its map. */
  readonly siblings: readonly string[];
}

function placeOf(root: Node | null): Place | undefined {
  let found: Place | undefined;
  visit(root, {
    Scalar: (role, { value }, ancestors) => {
      if (typeof value !== 'string' || !value.startsWith(MARK)) return undefined;
      const isKey = role === 'key';
      const steps = (isKey ? ancestors.slice(0, -1) : ancestors).filter((each) => isPair(each) || 'items' in each);
      const map = steps.at(-1);
      const siblings = isKey && isMap(map) ? map.items.map((pair) => keyText(pair)) : [];
      found = { steps: steps as Step[], isKey, siblings: siblings.filter((each) => !each.startsWith(MARK)) };
      return visit.BREAK;
    },
  });
  return found;
}

const keyText = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

/** The schemas at the end of some steps, and those of the map around it with its key there. */
function formsAt(schema: Schema, steps: readonly Step[]) {
  let forms: readonly Schema[] = [schema];
  let holder: readonly Schema[] = [];
  let key = '';
  for (const step of steps) {
    if (isPair(step)) {
      holder = forms;
      key = keyText(step);
      forms = holder.flatMap((form) => innerOf(form, key)).flatMap(alternatives);
    } else if (isMap(step)) forms = ofKind(forms.flatMap(alternatives), step.items);
    else forms = forms.flatMap(({ items }) => (items === undefined ? [] : alternatives(items as Schema)));
  }
  return { forms, holder, key };
}

function innerOf({ properties, additionalProperties: others }: Schema, key: string): readonly Schema[] {
  const own = properties as Readonly<Record<string, Schema>> | undefined;
  if (own !== undefined && Object.hasOwn(own, key)) return [own[key] as Schema];
  return typeof others === 'object' && others !== null ? [others as Schema] : [];
}

function alternatives(node: Schema): readonly Schema[] {
  const forms = (node['oneOf'] ?? node['anyOf']) as readonly Schema[] | undefined;
  return forms === undefined ? [node] : forms.flatMap(alternatives);
}

/** The forms whose fixed values a map has, where it says so much. */
function ofKind(forms: readonly Schema[], pairs: readonly Pair[]): readonly Schema[] {
  const fits = forms.filter((form) =>
    pairs.every((pair) => {
      const [inner] = innerOf(form, keyText(pair));
      const value = isScalar(pair.value) ? pair.value.value : MARK;
      return inner?.['const'] === undefined || String(value).startsWith(MARK) || inner['const'] === value;
    }),
  );
  return fits.length > 0 ? fits : forms;
}

function describe(forms: readonly Schema[]): string {
  return String(forms.find(({ description }) => description !== undefined)?.['description'] ?? '');
}

function keysOf(forms: readonly Schema[], without: readonly string[]): OfferedWord[] {
  const keys = forms.flatMap(({ properties, propertyNames }) => [
    ...Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>),
    ...((propertyNames as Schema | undefined)?.['$comment'] === 'numbers'
      ? protocolNumbers().map(({ path }) => [`protocol.${path}`, {}] as const)
      : []),
  ]);
  const offered = new Map<string, OfferedWord>();
  for (const [text, node] of keys)
    if (!without.includes(text) && !offered.has(text))
      offered.set(text, { text, about: describe([node, ...alternatives(node)]), kind: 'key' });
  return [...offered.values()];
}

/** The values that forms allow. What a fixed one means is said by the form of the map around it. */
function valuesOf(
  forms: readonly Schema[],
  holder: readonly Schema[],
  key: string,
  file: Schema,
  written: string,
): OfferedWord[] {
  const kinds = holder.flatMap((form) => {
    const [inner] = innerOf(form, key);
    return inner?.['const'] === undefined ? [] : [[String(inner['const']), String(form['description'] ?? '')] as const];
  });
  const values = forms.flatMap((form): readonly (readonly [text: string, about: string])[] => {
    const names = namesOf(form, file, written);
    if (names.length > 0) return names;
    if (form['type'] === 'boolean') return ['true', 'false'].map((each) => [each, '']);
    return ((form['enum'] ?? []) as readonly unknown[]).map((each) => [String(each), '']);
  });
  const offered = new Map([...kinds, ...values]);
  return [...offered].map(([text, about]) => ({ text, about, kind: 'value' }));
}

/** The groups of the options of populations, as far as they are written. */
function optionsOf(populations: readonly unknown[]): readonly string[] {
  return populations.flatMap((each) => {
    const { name, adapts } = (each ?? {}) as { readonly name?: unknown; readonly adapts?: unknown };
    const options = (adapts as { readonly options?: unknown } | null | undefined)?.options;
    if (typeof name !== 'string' || typeof options !== 'object' || options === null) return [];
    return Object.keys(options).map((option) => optionGroup(name, option));
  });
}

/** The names to which a form refers. */
function namesOf({ $comment: names }: Schema, file: Schema, written: string): readonly (readonly [string, string])[] {
  const given = Array.isArray(file['populations']) ? (file['populations'] as readonly unknown[]) : [];
  const populations = given.flatMap((each) => {
    const name = (each as { readonly name?: unknown } | null)?.name;
    return typeof name === 'string' && !name.startsWith(MARK) ? [name] : [];
  });
  if (names === 'populations') return populations.map((name) => [name, 'a population of this file']);
  if (names === 'traces') return Object.keys(file['traces'] ?? {}).map((name) => [name, 'a trace of this file']);
  if (names === 'goals') return Object.entries(goals);
  if (names !== 'measures') return [];
  const [measure = '', ...group] = written.split('.');
  if (group.length > 0 && Object.hasOwn(measures, measure))
    return [...identityClasses, ...populations, ...optionsOf(given)].map((each) => [
      `${measure}.${each}`,
      `${measures[measure as MeasureName].label}, of this group`,
    ]);
  return Object.entries(measures).map(([name, { label, unit }]) => [
    name,
    unit === '' ? label : `${label}; in ${unit}`,
  ]);
}
