/** The actions about sequences of the fuzzer that failed: read at start from the folder that was given, and played again step by step. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type Sequence, walk } from '../../../conformance/fuzz/fuzz.js';
import { Unplayable } from '../../../conformance/fuzz/requests.js';
import type { Target } from '../../../conformance/target/target.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import { Failure } from '../../../runs/host/failure.js';
import { readSequence, referenceSubjects, targetSubjects } from '../../../runs/suite/fuzz-subject.js';
import { clauseById } from '../../../spec/clauses/index.js';
import { type Action, ActionRefused, action, nothing } from '../action.js';

export type { Step } from '../../../conformance/fuzz/fuzz.js';

/** A sequence that the page offers. */
export interface GivenSequence {
  readonly file: string;
  readonly message: string;
  readonly sequence: Sequence;
}

/** The fuzz-failure.json of a folder, if it has one. Failure where it cannot be read. */
export function sequenceIn(folder: string): GivenSequence | undefined {
  const file = join(folder, 'fuzz-failure.json');
  return existsSync(file) ? { file, ...readSequence(file) } : undefined;
}

/** The actions; sequences are played on a reference of their own, or on the target of the start, whose file is `targetFile`. */
export function sequenceActions(
  given: readonly GivenSequence[],
  target: Target | undefined,
  targetFile: string | undefined,
): readonly Action[] {
  const commandOf = (file: string, on: 'reference' | 'target'): string | undefined => {
    const again = `aips conform fuzz ${shellWord(resolve(file))}`;
    if (on === 'reference') return again;
    return targetFile === undefined ? undefined : `${again} --target ${shellWord(targetFile)}`;
  };
  return [
    action(
      'sequence/list',
      'Lists the sequences of the fuzzer that failed, of the folder given at start.',
      nothing,
      () => ({
        sequences: given.map(({ file, message }) => ({ file, message })),
        target: target?.control === undefined ? null : target.baseUrl,
      }),
    ),
    action(
      'sequence/play',
      'Plays such a sequence again, by its place in the list; returns each exchange with what the text says of the reply.',
      z.strictObject({ place: z.int().min(0), on: z.enum(['reference', 'target']) }),
      async ({ place, on }) => {
        const found = given[place];
        if (found === undefined) throw new ActionRefused(404, 'NO_SEQUENCE', `there are ${given.length} sequences`);
        const { open, close } = await subjects(on === 'reference' ? undefined : target, on);
        try {
          const { steps, failure } = await walk(open, found.sequence);
          const clauses = (failure?.clauses ?? [])
            .map(clauseById)
            .map(({ id, section, text }) => ({ id, section, text }));
          return {
            actions: found.sequence.actions,
            steps,
            failure: failure === null ? null : { message: failure.message, at: failure.exchange, clauses },
            command: commandOf(found.file, on),
          };
        } catch (error) {
          if (!(error instanceof Unplayable)) throw error;
          throw new ActionRefused(409, 'UNPLAYABLE', `nothing could be played: ${error.message}`);
        } finally {
          await close();
        }
      },
    ),
  ];
}

function subjects(target: Target | undefined, on: 'reference' | 'target') {
  if (on === 'reference') return referenceSubjects();
  try {
    if (target !== undefined) return targetSubjects(target, 'the target');
  } catch (error) {
    if (error instanceof Failure) throw new ActionRefused(409, 'NO_CONTROL', error.message);
    throw error;
  }
  throw new ActionRefused(409, 'NO_TARGET', 'no target was given at start');
}
