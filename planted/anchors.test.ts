// Every planted change fits the source, as it would be with other names, blanks and types too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantedFiles, root } from './all-mutants.js';
import { type Node, parsed } from './engine/babel.js';
import { filled } from './engine/code.js';
import { applyEdit, type Edit, fileOf } from './engine/edit.js';
import { nodeAt, placeNamed } from './engine/place.js';
import { localsOf } from './engine/scope.js';
import { endpointMutants } from './from-endpoints.js';

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const text = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
  sources.set(file, text);
  return text;
}

/** Gives every local variable of the places that edits name another name. */
function rename(program: Node, edits: readonly Edit[]): void {
  for (const name of new Set(edits.map((edit) => placeNamed(edit.in).name))) {
    if (name === '') continue;
    const node = nodeAt(program, { file: '', name, parameters: '' });
    const others = new Map([...localsOf(node)].map((local) => [local, `${local}Called`]));
    // The name of the place itself is no local variable of it.
    const { id, key } = node;
    Object.assign(node, filled([node], others, [])[0], {
      ...(id === undefined ? {} : { id }),
      ...(key === undefined ? {} : { key }),
    });
  }
}

/** Applies the changes of a mutant to each of its modules, once their local variables have other names. */
function plant(edits: readonly Edit[]): void {
  for (const file of new Set(edits.map(fileOf))) {
    const program = parsed(sourceOf(file));
    const own = edits.filter((edit) => fileOf(edit) === file);
    rename(program, own);
    for (const edit of own) applyEdit(program, edit);
  }
}

describe.each([...plantedFiles, ['from-endpoints.ts', endpointMutants] as const])('%s', (_, mutants) => {
  it('fits the source, where each pattern matches once, with whatever names of local variables', () => {
    const faults = mutants.flatMap(({ id, patch }) => {
      try {
        if ('edits' in patch) plant(patch.edits);
        return [];
      } catch (error) {
        return [`${id}: ${String(error)}`];
      }
    });
    expect(faults).toEqual([]);
  });
});
