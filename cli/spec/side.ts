/** One side of a comparison of specifications, by the name that a user gives: the present one, a release, or an overlay file. */

import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { Failure } from '../../runs/host/failure.js';
import { readText } from '../../runs/host/files.js';
import { PRESENT, presentSide, type SpecSide, sideOfText } from '../../runs/specification/spec-side.js';
import { mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { type Protocol, protocolNumbers } from '../../spec/protocol.js';
import { warnOfNoChange } from '../flags/facts.js';
import { releasedSpec } from './released.js';

const RELEASE = /^\d+\.\d+\.\d+$/;

/** The argument of commands about the present specification or a change of it. */
export const changeArgument = {
  type: 'string',
  default: PRESENT,
  describe: `YAML overlay: the change; ${PRESENT} for the specification as it stands`,
} as const;

/** True for a name of an overlay file: the present specification and a release have none. */
export const isFile = (name: string): boolean => name !== PRESENT && !RELEASE.test(name);

/** Reads `spec`, which is the current specification, a version that was released, or an overlay file. */
export function sideOf(name: string): SpecSide {
  if (RELEASE.test(name)) {
    const released = releasedSpec(name);
    return { name, protocol: protocolOf(released.numbers), clauses: released.clauses };
  }
  if (name === PRESENT) return presentSide();
  const side = sideOfText(readText(name, 'overlay file'), name);
  warnOfNoChange(name, presentSide().protocol, side.protocol);
  return side;
}

/**
 * An overlay file as it is at a git ref of its repository; the present specification where the ref has no such file. Throws a Failure for a ref that
 * is not there.
 */
export function sideAt(ref: string, file: string): SpecSide {
  if (!isFile(file)) throw new Failure(`--base ${ref}: ${file} is no file, and a base is the same file at a git ref.`);
  const git = (...args: readonly string[]) =>
    spawnSync('git', args, { cwd: dirname(file), encoding: 'utf8', maxBuffer: GIT_BYTES_MAX });
  const known = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (known.error !== undefined) throw new Failure(`--base ${ref}: git cannot be started.`);
  if (known.status !== 0)
    throw new Failure(
      `--base ${ref}: the repository of ${file} has no such ref, or ${file} is in none. In CI, fetch it first.`,
    );
  const path = `${known.stdout.trim()}:./${basename(file)}`;
  if (git('cat-file', '-e', path).status !== 0) return presentSide();
  const shown = git('show', path);
  if (shown.status !== 0) throw new Failure(`--base ${ref}: git cannot show ${file}: ${shown.stderr.trim()}`);
  return sideOfText(shown.stdout, `${file} at ${ref}`);
}

/** No overlay is as long. */
const GIT_BYTES_MAX = 2 ** 24;

/** The protocol with the numbers of a release; a number that was removed since no longer counts. */
function protocolOf(numbers: Readonly<Record<string, number>>): Protocol {
  const known = protocolNumbers().filter(({ path }) => path in numbers);
  const overlay = known.reduce<Overlay>(
    (all, { path }) => mergedOverlay(all, overlayOf(path, numbers[path] as number)),
    {},
  );
  return withOverlay(overlay);
}
