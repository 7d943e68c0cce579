/** The services that random sequences are played on, and the file of a sequence that failed. How one is played is in conformance/fuzz. */

import { z } from 'zod';
import { type Open, type Sequence, setUps, smallUnder } from '../../conformance/fuzz/fuzz.js';
import { operationNames } from '../../conformance/fuzz/operations/index.js';
import { loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import type { Target } from '../../conformance/target/target.js';
import { httpTransport } from '../../conformance/wire/transport.js';
import { mergedOverlay, type Overlay, withOverlay } from '../../spec/overlay.js';
import { Failure } from '../host/failure.js';
import { readOwnFile } from '../host/own-file.js';

/** Opens a service for each sequence, and closes all of them. */
export interface Subjects {
  readonly open: Open;
  readonly close: () => Promise<void>;
}

/** Beats as cheap as they can be. */
const CHEAP = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } } as const;

/** A fresh reference in this process for each sequence, under an overlay. */
export async function referenceSubjects(overlay: Overlay = {}): Promise<Subjects> {
  const modules = await loadReference();
  const plain = withOverlay(mergedOverlay(overlay, CHEAP));
  const small = withOverlay(mergedOverlay(smallUnder(overlay), CHEAP));
  return {
    open: async (setUp) => {
      if (setUp === 'small') return startInProcess(modules, { seed: 1, numbers: small });
      return startInProcess(modules, { seed: 1, numbers: plain, deployment: setUp });
    },
    close: async () => undefined,
  };
}

/** The target, the same for all sequences. Throws a Failure for one without a control API. */
export function targetSubjects(target: Target, name: string): Subjects {
  if (target.control === undefined) {
    throw new Failure(
      `${name} names no control API. Model tests move the clock and pay by it: see docs/control-api.md.`,
    );
  }
  const { send, close } = httpTransport({ target });
  return { open: async () => ({ target, send, close: async () => undefined, used: true }), close };
}

const SEQUENCE_VERSION = 1;
const sequenceFile = z.object({
  version: z.literal(SEQUENCE_VERSION),
  message: z.string().default(''),
  sequence: z.object({
    salt: z.string(),
    set_up: z.enum(setUps),
    start_anchors: z.number().int().min(1),
    actions: z.array(z.looseObject({ op: z.enum(operationNames) })),
  }),
});

/** Reads a fuzz-failure.json: the sequence, and how it failed. Throws a Failure for any other file. */
export function readSequence(file: string): { readonly message: string; readonly sequence: Sequence } {
  return readOwnFile(file, {
    kind: 'failure',
    what: 'a fuzz-failure.json',
    format: ['version', SEQUENCE_VERSION],
    schema: sequenceFile,
    by: 'aips conform fuzz --out',
  });
}
