/** A check cannot go on, and that is no finding about its clauses: what it needs is lacking, or its setup failed. */
export class Unjudged extends Error {
  constructor(
    readonly verdict: 'not-tested' | 'inconclusive',
    readonly reason: string,
  ) {
    super(reason);
    this.name = 'Unjudged';
  }
}
