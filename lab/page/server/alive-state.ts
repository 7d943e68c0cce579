/** The registry as its picture shows it, kept by events: who is whose child, each standing, and what has just happened. It draws nothing. */

import { signal } from '@preact/signals-core';
import type { RegistryNews, RegistryPicture } from '../../server/reference/registry-feed.js';
import { act, Refused } from '../api.js';

/** Something that happened to an agent a moment ago. */
export interface Happening {
  readonly row: number;
  /** The clause of a refusal; null for a heartbeat or a fee. */
  readonly clause: string | null;
  /** The fee that a request paid; 0 for a heartbeat or a refusal. */
  readonly lamports: number;
}

interface Marks {
  readonly names: string[];
  readonly parents: number[];
  readonly standings: number[];
}

/** Happenings that wait to be drawn: more are not seen. */
const WAITING_MAX = 600;

/** The agents by row: the lists grow in place. */
export let marks: Marks = { names: [], parents: [], standings: [] };
/** Grows when the marks have changed. */
export const marksChanged = signal(0);

let version = 0;
let waiting: Happening[] = [];
let reading = false;
let missed: RegistryNews[] = [];

/** Reads the whole picture; news that come meanwhile are applied to it. */
export async function readMarks(): Promise<void> {
  if (reading) return;
  reading = true;
  try {
    const { version: read, names, parents, standings } = await act<RegistryPicture>('server/registry');
    marks = { names: [...names], parents: [...parents], standings: [...standings] };
    version = read;
    waiting = [];
  } catch (error) {
    // A later event asks again.
    if (!(error instanceof Refused)) throw error;
    version = 0;
  } finally {
    reading = false;
  }
  const later = missed.filter((news) => news.version > version);
  missed = [];
  for (const news of later) takeNews(news);
  marksChanged.value += 1;
}

/** Applies news, or reads the picture again where some are missing. */
export function takeNews(news: RegistryNews): void {
  if (reading) {
    missed.push(news);
    return;
  }
  if (version === 0 || news.version <= version) return;
  if (news.version !== version + 1) {
    void readMarks();
    return;
  }
  version = news.version;
  for (const [name, parent] of news.born) {
    marks.names.push(name);
    marks.parents.push(parent);
    marks.standings.push(0);
  }
  for (const [row, standing] of news.standings) marks.standings[row] = standing;
  const happened = [
    ...news.fees.map(([row, lamports]) => ({ row, clause: null, lamports })),
    ...news.beats.map((row) => ({ row, clause: null, lamports: 0 })),
    ...news.refused.map(([row, clause]) => ({ row, clause, lamports: 0 })),
  ];
  waiting = [...waiting, ...happened].slice(-WAITING_MAX);
  marksChanged.value += 1;
}

/** The happenings since this was last called. */
export function takeHappenings(): readonly Happening[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
