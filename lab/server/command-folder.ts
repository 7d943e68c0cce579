/**
 * The folder in which the commands of the page run: the lab writes what they read into it, such as a scenario as it was edited. The page
 * names it, and it goes with the lab.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files by their path within a folder, with their text. */
type Texts = Readonly<Record<string, string>>;

/** A folder of files that commands read. A file is written once: commands that were shown before go on to read what they read. */
export class CommandFolder {
  readonly path: string;

  /** `path` is a folder that this user alone may read. */
  constructor(path: string) {
    this.path = path;
  }

  /** Writes a text, unless a file of this stem has it; returns the name of its file, such as `change.yaml` or `change-2.yaml`. */
  write(stem: string, ending: string, text: string): string {
    return this.#free((mark) => `${stem}${mark}${ending}`, { '': text });
  }

  /** Writes texts that belong together into a folder of their own, unless one has them; returns its name. */
  writeAll(stem: string, texts: Texts): string {
    return this.#free((mark) => `${stem}${mark}`, texts);
  }

  #free(named: (mark: string) => string, texts: Texts): string {
    for (let n = 1; ; n += 1) {
      const name = named(n === 1 ? '' : `-${n}`);
      const root = join(this.path, name);
      if (!existsSync(root)) {
        for (const [at, text] of Object.entries(texts)) {
          const file = join(root, at);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text, { mode: 0o600 });
        }
        return name;
      }
      if (Object.entries(texts).every(([at, text]) => holds(join(root, at), text))) return name;
    }
  }
}

const holds = (file: string, text: string): boolean => existsSync(file) && readFileSync(file, 'utf8') === text;
