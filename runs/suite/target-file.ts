/**
 * Reads the target that a command line describes, from its URL or its file. The schema of the file is in
 * conformance/target.
 */

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { bareTarget, parseTarget, type Target } from '../../conformance/target/target.js';
import { shortSecretsOf } from '../../conformance/trial/session.js';
import { SECRET_CHARS_MIN } from '../../conformance/wire/secret-finder.js';
import { type Overlay, parseOverlay, withOverlay } from '../../spec/overlay.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail, readText } from '../host/files.js';

/** The description of a target: its URL or its target file, and the overlay of its numbers. */
interface TargetSource {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly protocol?: string | undefined;
}

/**
 * Reads the target. Throws a Failure that says what is wrong with its description. On standard error it says which of its secrets are too
 * short to be hidden everywhere.
 */
export function readTarget(source: TargetSource): Target {
  const target = described(source);
  for (const place of shortSecretsOf(target)) {
    const what = 'reports hide it where it is all of a value, and cannot tell it from other text elsewhere';
    console.error(`${place} has fewer than ${SECRET_CHARS_MIN} characters: ${what}.`);
  }
  return target;
}

function described({ url, target: file, protocol }: TargetSource): Target {
  if ((url === undefined) === (file === undefined)) {
    throw new Failure(
      'Give either the base URL of a server or --target FILE. For example: aips conform http://127.0.0.1:8787',
    );
  }
  const overlay = protocol === undefined ? undefined : readOverlay(protocol);
  return file === undefined ? targetAt(url as string, overlay) : targetIn(file, overlay);
}

/** The overlay in a file. Throws a Failure that says what is wrong with it. */
export function readOverlay(path: string): Overlay {
  return parsedOrFail(parseOverlay(readText(path, 'overlay file'), path));
}

function targetIn(file: string, overlay: Overlay | undefined): Target {
  const readNamed = (path: string): string | undefined => readIfThere(resolve(dirname(file), path));
  const sources = { env: process.env, readText: readNamed, ...(overlay === undefined ? {} : { overlay }) };
  return parsedOrFail(parseTarget(readText(file, 'target file'), file, sources));
}

function targetAt(url: string, overlay: Overlay | undefined): Target {
  try {
    const target = bareTarget(url);
    return overlay === undefined ? target : { ...target, protocol: withOverlay(overlay) };
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(`${error.message}. For example: http://127.0.0.1:8787`);
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readText(path, 'file') : undefined;
}
