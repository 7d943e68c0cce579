/**
 * Numbers of the protocol that flags of `aips simulate` replace, and which of them is to blame when a scenario does not take
 * them. The numbers themselves are in spec/protocol.ts.
 */

import { z } from 'zod';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { OverlayNumbers, Settings } from '../../simulator/run/simulate.js';
import { type Problem, parseYaml } from '../../spec/document.js';
import { mergedOverlay, type Overlay, overlayOf, overlaySchema, parseOverlay } from '../../spec/overlay.js';
import { changesOf } from '../../spec/overlay-changes.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail, readText } from '../host/files.js';

/** Reads `protocol.x=y`, several of them with commas between. Failure for a number that the protocol does not have. */
export function parseSettings(text: string): Settings {
  const read = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, path, value] = /^protocol\.([\w.]+)=(-?\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (path === undefined || value === undefined) {
      throw new Failure(`--set ${part}: must have the form protocol.dms.missedAnchorsMax=90.`);
    }
    if (read.has(path)) throw new Failure(`--set protocol.${path}: is set twice.`);
    read.set(path, Number(value));
  }
  const settings = Object.fromEntries(read);
  const parsed = overlaySchema.safeParse(overlayOfSettings(settings));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const path = [...(issue?.path ?? []), ...keys].join('.');
    const message = keys.length > 0 ? `is not a number of the protocol; known: ${knownBeside(path)}` : issue?.message;
    throw new Failure(`--set protocol.${path}: ${message}.`);
  }
  return settings;
}

/** The known names in place of an unknown path: the numbers of its group, or the groups. */
function knownBeside(path: string): string {
  const group = `${path.split('.')[0]}.`;
  const paths = protocolNumbers().map((number) => number.path);
  const within = paths.filter((each) => each.startsWith(group));
  return (within.length > 0 ? within : [...new Set(paths.map((each) => each.split('.')[0]))]).join(', ');
}

/** Reads the overlay file of `--protocol`. */
export function overlayFile(path: string): OverlayNumbers {
  const overlay = parsedOrFail(parseOverlay(readText(path, 'overlay file'), path));
  if (overlay.parts?.classes !== undefined) {
    throw new Failure(`${path}: classes: a simulation has the classes of the specification; leave them out.`);
  }
  const formulas = overlay.parts?.formulas;
  return { file: path, numbers: changesOf(overlay), ...(formulas === undefined ? {} : { formulas }) };
}

/** The overlay of the protocol that settings by path amount to. */
export function overlayOfSettings(settings: Settings): Overlay {
  return Object.entries(settings).reduce<Overlay>(
    (overlay, [path, value]) => mergedOverlay(overlay, overlayOf(path, value)),
    {},
  );
}

/** Settings as `--set` takes them. */
export function settingsText(settings: Settings): string {
  return Object.entries(settings)
    .map(([path, value]) => `protocol.${path}=${value}`)
    .join(',');
}

/** The scenario of a text under an overlay file and settings. A Failure names the file, the overlay or the setting at fault. */
export function scenarioUnder(
  text: string,
  file: string,
  { overlay, set }: { readonly overlay: OverlayNumbers | null; readonly set: Settings },
): Scenario {
  const parts = overlay?.formulas === undefined ? {} : { parts: { formulas: overlay.formulas } };
  const under = (settings: Settings) => parseScenario(text, file, { ...overlayOfSettings(settings), ...parts });
  const laid = overlay?.numbers ?? {};
  const parsed = under({ ...laid, ...set });
  if (parsed.ok) return parsed.value;
  parsedOrFail(under({}));
  const withoutSet = under(laid);
  if (!withoutSet.ok && overlay !== null) throw new Failure(blamed(`--protocol ${overlay.file}`, withoutSet.problems));
  // The settings without which the scenario is accepted; all of them if no single one is the cause.
  const guilty = Object.entries(set).filter(([path]) => {
    const { [path]: _without, ...others } = set;
    return under({ ...laid, ...others }).ok;
  });
  const named = guilty.length === 0 ? set : Object.fromEntries(guilty);
  throw new Failure(blamed(`--set ${settingsText(named)}`, parsed.problems));
}

/** The numbers that a scenario, an overlay file and settings give, and that have these values without them, each with the reason. */
export function unchangedNumbers(
  text: string,
  file: string,
  { overlay, set }: { readonly overlay: OverlayNumbers | null; readonly set: Settings },
): readonly string[] {
  const plain = parseYaml(text, file, z.looseObject({ protocol: z.looseObject({}).optional() }));
  const own = plain.ok ? changesOf((plain.value.protocol ?? {}) as Overlay) : {};
  const layers: readonly (readonly [name: string, numbers: Settings])[] = [
    [`${file}: `, own],
    [`--protocol ${overlay?.file ?? ''}: `, overlay?.numbers ?? {}],
    ['--set ', set],
  ];
  const values = new Map(protocolNumbers().map(({ path, value }) => [path, value]));
  return layers.flatMap(([name, numbers]) =>
    Object.entries(numbers).flatMap(([path, value]) => {
      const before = values.get(path);
      values.set(path, value);
      return value === before ? [`${name}protocol.${path} has no effect: it is ${value} already`] : [];
    }),
  );
}

function blamed(flag: string, problems: readonly Problem[]): string {
  return problems.map(({ key, message }) => `${flag}: ${key === 'protocol' ? '' : `${key} `}${message}.`).join('\n');
}

/**
 * A name for each of several variants: the settings in which they differ, such as `dms.missedAnchorsMax=90`; `unchanged` for none.
 * Failure for two variants with the same settings.
 */
export function variantNames(variants: readonly Settings[]): readonly string[] {
  const shared = (path: string, value: number): boolean =>
    variants.length > 1 && variants.every((variant) => variant[path] === value);
  const names = variants.map((variant) => {
    const own = Object.entries(variant).filter(([path, value]) => !shared(path, value));
    return own.length === 0 ? 'unchanged' : own.map(([path, value]) => `${path}=${value}`).join(',');
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Failure(`--set: two futures are the same: ${twice}.`);
  return names;
}
