/** A line of a file in the user's repository: where reports that a forge reads show what they found. */

export interface SourceLine {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** A line with the dotted path that it is the line of. */
export type PathLine = SourceLine & { readonly of?: string };

/** The line as a physical location of SARIF. */
export function physicalLocation({ path, line }: SourceLine) {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}
