/** An accepted command in the journal, with everything that is needed to apply it again. */
export interface Command {
  /** When it was applied, Unix ms of the service's clock. */
  readonly at: number;
  /** The id of the endpoint; `control:`, method and path of a control call; `webhook:settle`; or `clock:tick`. */
  readonly name: string;
  /** The authenticated agent's row; -1 where there is none. */
  readonly agent: number;
  /** The authenticated partner's number; absent or -1 where there is none. */
  readonly partner?: number;
  /** The body as its schema parsed it; null for a call without one. */
  readonly body: unknown;
  /** Headers and path parameters that the command depends on. */
  readonly given: Readonly<Record<string, string>>;
  /** The payment as found on an external ledger, so that a replay does not ask the ledger; absent on the service's own. */
  readonly observed?: unknown;
  /** The signature of the memo that it wrote to another ledger; absent on our own. */
  readonly memo?: string;
}
