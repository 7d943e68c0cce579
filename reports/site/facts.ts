/** The facts of the site that are not in spec/, which runs/site gathers, and the addresses of pages: paths from the root of the site. */

import type { Exchange, Power } from '../../results/conformance-result.js';
import type { Pair } from '../../results/pairs.js';
import type { Registry } from '../../results/registry.js';

/** A request of a check and its reply, which is evidence for a clause. */
export interface RecordedExchange {
  readonly check: string;
  /** The number of the request in the check, from 1, and of how many. */
  readonly n: number;
  readonly of: number;
  /** The subject of the evidence, in words. */
  readonly about: string;
  readonly exchange: Exchange;
}

/** A check of the suite. */
export interface SiteCheck {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  /** The clauses that its verdict is about. */
  readonly clauses: readonly string[];
  readonly requests: number;
}

/** The checks that depend on a decision: those whose steps assume it, with the assumptions, and those that judge it. */
interface SiteDecisionUse {
  readonly what: readonly string[];
  readonly built: readonly string[];
  readonly judged: readonly string[];
}

/** All that the pages show and that is not in spec/. Maps are by the id of a clause, `uses` by that of a decision, that with most checks first. */
export interface SiteFacts {
  readonly version: string;
  readonly checks: readonly SiteCheck[];
  readonly judges: ReadonlyMap<string, readonly string[]>;
  readonly uses: ReadonlyMap<string, SiteDecisionUse>;
  readonly pairs: ReadonlyMap<string, Pair>;
  readonly power: ReadonlyMap<string, Power>;
  readonly recorded: ReadonlyMap<string, RecordedExchange>;
  /** The judged recordings of implementations; undefined without a folder of them. */
  readonly registry: Registry | undefined;
}

/** The kinds of things that have a page each, with the folder of their pages. */
export const FOLDERS = { clause: 'c', decision: 'd', error: 'e', check: 'check', number: 'n' } as const;
export type Kind = keyof typeof FOLDERS;

/** The address of the page of a thing. */
export const addressOf = (kind: Kind, id: string): string => `${FOLDERS[kind]}/${id}/index.html`;

/** The way from a page to the root of the site: `../../` from `d/D-09/index.html`. */
export const rootFrom = (address: string): string => '../'.repeat(address.split('/').length - 1);
