/** The steps of `aips spec check` about others: clients that follow the text as it is, and recorded servers. They warn, and fail under --fail-on warning. */

import type { Blast, BlastClause, Witness } from '../../results/blast-result.js';
import { countText } from '../../results/numbers.js';
import type { CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import { blastOf } from '../../runs/specification/blast.js';
import { overlayOfSide, PRESENT, type SpecSide } from '../../runs/specification/spec-side.js';
import type { AcceptedChanges } from '../../spec/accepted-changes.js';
import { BREAK_KINDS, BREAKS, breaksOf } from '../../spec/breaking.js';
import { interrupted } from './check-steps.js';
import { acceptanceOf } from './lint.js';

/** Warns of each thing of the change that breaks clients, by the tables of both texts. No client is run. */
export function clientStep(from: SpecSide, to: SpecSide): CheckStep {
  const warnings = breaksOf(from.protocol, to.protocol).map(({ kind, path, from: was, to: now }): CheckedFault => {
    const id = `${BREAK_KINDS.client}/${kind}/${path}`;
    const arithmetic = `${was} → ${now}`;
    return { id, text: `${arithmetic}: ${BREAKS[kind]}`, about: [path], entry: { id, arithmetic } };
  });
  const looked = `${Object.keys(BREAKS).length} classes of breaks, derived from both texts; no client was run`;
  const step = { name: 'clients that follow the text', looked, faults: [] };
  return warnings.length === 0 ? step : { ...step, warnings };
}

/** Judges recordings by both texts, and warns of each must clause that a recorded server would begin to fail. */
export async function serverStep(
  files: readonly string[],
  { from, to }: { readonly from: SpecSide; readonly to: SpecSide },
  options: Parameters<typeof blastOf>[2],
): Promise<{ readonly steps: readonly CheckStep[]; readonly blast: Blast }> {
  const before = from.name === PRESENT ? undefined : overlayOfSide(from);
  const blast = await blastOf(files, { before, after: overlayOfSide(to) }, options);
  const { recordings, unread, duplicates } = blast;
  const seen = recordings.length + unread.length + duplicates.length;
  const broken = options.signal?.aborted === true && seen < files.length ? interrupted(options.signal) : undefined;
  // A recording that cannot be read has a step of its own, and says nothing of the others.
  const refused = unread.map(
    ({ file, error }): CheckStep => ({
      ...{ name: `recording ${file}`, looked: 'not read', faults: [] },
      unable: error,
    }),
  );
  const judged = recordings.length === 0 && refused.length > 0 && broken === undefined ? [] : [stepOf(blast, broken)];
  return { steps: [...judged, ...refused], blast };
}

function stepOf({ recordings, duplicates, clauses }: Blast, unable: string | undefined): CheckStep {
  const of = recordings.length;
  const warnings = clauses
    .filter(({ level, begin_to_fail: fail }) => level === 'must' && fail.length > 0)
    .map((clause) => warningOf(clause, of));
  const again = duplicates.map(({ file, of: first }) => `, ${file} has the content of ${first}`);
  return {
    name: 'recorded servers keep their verdicts',
    looked: `${countText(of, 'recording')}${again.join('')}`,
    faults: [],
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(unable === undefined ? {} : { unable }),
  };
}

function warningOf({ id: clause, begin_to_fail: fail }: BlastClause, of: number): CheckedFault {
  const id = `${BREAK_KINDS.server}/${clause}`;
  const share = `${fail.length} of ${of}`;
  const { server, recording, endpoint, about, expected, actual } = fail[0] as Witness;
  return {
    ...{ id, entry: { id, arithmetic: share } },
    text: `${share} recorded servers would begin to fail ${clause}`,
    shown: `${recording}: ${endpoint} of ${server}: ${about}: expected ${expected}, got ${actual}`,
  };
}

/** The steps with their warnings as faults; a warning may be accepted like a finding. */
export function strictly(steps: readonly CheckStep[], accepted: AcceptedChanges): readonly CheckStep[] {
  return steps.map(({ warnings = [], ...step }) => ({
    ...step,
    faults: [
      ...step.faults,
      ...warnings.map((warning) => {
        const { entry } = warning;
        const known = entry !== undefined && 'arithmetic' in entry ? acceptanceOf(entry, accepted) : undefined;
        return known === undefined ? warning : { ...warning, accepted: known.reason };
      }),
    ],
  }));
}
