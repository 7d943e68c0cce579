/** TypeScript as a tree, and a tree as JavaScript: the part of Babel that planting needs. It knows no mistakes. */
// @ts-expect-error: the package has no types of its own.
import { parseSync, transformFromAstSync } from '@babel/core';
// @ts-expect-error: nor has this one.
import presetTypescript from '@babel/preset-typescript';

/** A node of Babel's tree. */
export interface Node {
  readonly type: string;
  [key: string]: unknown;
}

const options = { filename: 'module.ts', configFile: false, babelrc: false, sourceType: 'module' } as const;

/** The program of a module. A fragment may use names and jumps that are declared around it. Throws `SyntaxError`. */
export function parsed(text: string, isFragment = false): Node {
  const parserOpts = { plugins: ['typescript'], errorRecovery: isFragment };
  return (parseSync(text, { ...options, parserOpts }) as { readonly program: Node }).program;
}

/** The JavaScript of a program, without its types. */
export function printed(program: Node): string {
  const presets = [[presetTypescript, { onlyRemoveTypeImports: true }]];
  const file = { type: 'File', program };
  const { code } = transformFromAstSync(file, '', { ...options, presets, comments: false }) as {
    readonly code: string;
  };
  return code;
}
