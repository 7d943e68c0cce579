/** The comparison of a change with the specification, which goes on when another view is shown. */

import { signal } from '@preact/signals-core';
import type { DiffEffect, SpecDiff } from '../../../results/spec-diff-result.js';
import type { KeptComparison } from '../../server/specification/change-desk.js';
import { attempt } from '../store.js';

/** A comparison as far as it has come. */
interface Comparison {
  /** The text that is compared. */
  readonly text: string;
  readonly diff: SpecDiff;
  /** Standard scenarios that are still to be played. */
  readonly waiting: number;
}

interface Compared {
  readonly diff: SpecDiff;
  readonly scenarios: readonly string[];
}

type Measured =
  | (Pick<SpecDiff, 'replicates' | 'seed' | 'unmeasured'> & { readonly effects: readonly DiffEffect[] })
  | { readonly stopped: true };

/** The latest comparison. */
export const comparison = signal<Comparison | undefined>(undefined);

/** Compares a text, and measures its effects one scenario after the other, until it is stopped. */
export async function compare(text: string): Promise<void> {
  const answer = await attempt<Compared>('specification/difference', { text });
  if (answer !== undefined) await measure(text, answer.diff, answer.scenarios);
}

/** Takes the comparison that the lab has kept, unless this tab has one, and goes on with the scenarios that are still to be played. */
export async function takeComparison(kept: KeptComparison | null): Promise<void> {
  if (kept !== null && comparison.value === undefined) await measure(kept.text, kept.diff, kept.waiting);
}

async function measure(text: string, first: SpecDiff, scenarios: readonly string[]): Promise<void> {
  let diff = first;
  const tell = (waiting: number): void => {
    comparison.value = { text, diff, waiting };
  };
  tell(scenarios.length);
  for (const [at, scenario] of scenarios.entries()) {
    const more = await attempt<Measured>('specification/effects', { text, scenario });
    if (more === undefined || 'stopped' in more) break;
    const { replicates, seed, effects, unmeasured } = more;
    diff = {
      ...{ ...diff, replicates, seed },
      effects: [...diff.effects, ...effects],
      unmeasured: [...diff.unmeasured, ...unmeasured],
    };
    tell(scenarios.length - at - 1);
  }
  tell(0);
}
