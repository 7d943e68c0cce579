/** Drafts: texts and choices of the user, kept for the session of the tab: through other views, a reload, and a lab that starts again. */

import { useState } from './markup.js';

const KEY = 'aips-lab-draft/';
/** A text that is too large for the browser's store is kept until the tab is read again. */
const kept = new Map<string, unknown>();

/** A draft by its name; undefined where there is none. */
export function draftOf<T>(name: string): T | undefined {
  if (kept.has(name)) return kept.get(name) as T;
  const stored = sessionStorage.getItem(KEY + name);
  return stored === null ? undefined : (JSON.parse(stored) as T);
}

/** Keeps a draft. */
export function keepDraft(name: string, value: unknown): void {
  kept.set(name, value);
  try {
    sessionStorage.setItem(KEY + name, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    sessionStorage.removeItem(KEY + name);
  }
}

/** A choice that is kept under a name, and how to change it. */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void] {
  const [, draw] = useState(0);
  const set = (value: T): void => {
    keepDraft(name, value);
    draw((n) => n + 1);
  };
  return [draftOf<T>(name) ?? initial, set];
}
