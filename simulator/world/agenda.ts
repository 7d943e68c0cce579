/** The priority queue of everything that is due, except each agent's own next event. It orders entries; it does not play them. */

import { DUE_FAULT } from './due-kinds.js';

/** Words of an entry: second, number, kind, agent, argument. */
const WIDTH = 5;
const KIND = 2;

/**
 * Departures, children, complaints, faults and interventions that are due: a binary heap by second. Within a second faults and
 * interventions come first, so each applies to the whole second; then entries come in the order in which they were added. It is a list of
 * numbers, so that a checkpoint stores it as it is.
 */
export interface Agenda {
  readonly heap: number[];
  /** How many entries were ever added: the number of the next one. */
  planned: number;
}

/** An entry that is due. */
interface AgendaEntry {
  readonly kind: number;
  readonly agent: number;
  readonly argument: number;
}

/** An agenda without entries. */
export function createAgenda(): Agenda {
  return { heap: [], planned: 0 };
}

/** The second of the next entry; Infinity for none. */
export function nextAgendaSec({ heap }: Agenda): number {
  return heap[0] ?? Number.POSITIVE_INFINITY;
}

/** Adds an entry for an agent (or -1) with an argument, a safe integer. */
export function addToAgenda(agenda: Agenda, second: number, kind: number, agent: number, argument = 0): void {
  const { heap } = agenda;
  let at = heap.length / WIDTH;
  heap.push(second, agenda.planned, kind, agent, argument);
  agenda.planned += 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(heap, at, above)) return;
    swap(heap, at, above);
    at = above;
  }
}

/** Takes the first entry that is due by a second; null if there is none. */
export function takeFromAgenda({ heap }: Agenda, second: number): AgendaEntry | null {
  if (heap.length === 0 || heap[0]! > second) return null;
  const [, , kind, agent, argument] = heap as [number, number, number, number, number];
  const last = heap.length / WIDTH - 1;
  swap(heap, 0, last);
  heap.length -= WIDTH;
  sink(heap, last);
  return { kind, agent, argument };
}

function sink(heap: number[], size: number): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= size) return;
    const right = left + 1;
    const least = right < size && isBefore(heap, right, left) ? right : left;
    if (!isBefore(heap, least, at)) return;
    swap(heap, at, least);
    at = least;
  }
}

function isBefore(heap: readonly number[], one: number, other: number): boolean {
  const [a, b] = [one * WIDTH, other * WIDTH];
  if (heap[a] !== heap[b]) return heap[a]! < heap[b]!;
  const [first, second] = [isOfWorld(heap[a + KIND]!), isOfWorld(heap[b + KIND]!)];
  return first === second ? heap[a + 1]! < heap[b + 1]! : first;
}

/** Whether a kind is of a fault, an intervention or a revision. */
function isOfWorld(kind: number): boolean {
  return kind >= DUE_FAULT;
}

function swap(heap: number[], one: number, other: number): void {
  for (let word = 0; word < WIDTH; word += 1) {
    const [a, b] = [one * WIDTH + word, other * WIDTH + word];
    const kept = heap[a]!;
    heap[a] = heap[b]!;
    heap[b] = kept;
  }
}
