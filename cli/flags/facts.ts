/** Reads the dialect and the numbers that flags name, for a server and for what is derived from them. */

import { oneLine } from '../../results/visible.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { overlaidProtocol } from '../../runs/specification/spec-side.js';
import { changedNumbers, changedParts } from '../../spec/change.js';
import { type Dialect, dialectSchema, dialects, protocolOf } from '../../spec/dialect.js';
import { parseYaml } from '../../spec/document.js';
import type { Protocol } from '../../spec/protocol.js';

/** The numbers of a deployment: the specification's, those of the dialect, and those of an overlay file. */
export function readProtocol(path: string | undefined, dialect: Dialect = dialects.service): Protocol {
  if (path === undefined) return protocolOf(dialect);
  const changed = overlaidProtocol(readText(path, 'overlay file'), path, dialect);
  warnOfNoChange(path, protocolOf(dialect), changed);
  return changed;
}

/** Says that an overlay file changes no number and no part of the specification. */
export function warnOfNoChange(path: string, from: Protocol, to: Protocol): void {
  if (changedNumbers(from, to).length + changedParts(from, to).length > 0) return;
  process.stderr.write(`${oneLine(path)}: changes nothing: every number is what it is without this file.\n`);
}

/** Reads a dialect: one of ours by name, or a file. */
export function readDialect(nameOrFile: string): Dialect {
  const own = Object.values(dialects).find(({ name }) => name === nameOrFile);
  if (own !== undefined) return own;
  const text = readText(nameOrFile, 'dialect (service, provenonce, or a YAML file)');
  return parsedOrFail(parseYaml(text, nameOrFile, dialectSchema));
}
