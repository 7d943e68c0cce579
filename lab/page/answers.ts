/** The reply of the lab to a request of a view: loading, loaded, or refused. A view draws each of these states. */

import { act, connection, Refused } from './api.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from './markup.js';

/** An answer, as far as it has come. */
type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: T }
  | { readonly state: 'refused'; readonly why: string };

const LOADING = { state: 'loading' } as const;

/**
 * The answer of an action, asked again when `version` is another or the lab is back. A question with another body is loading until it
 * is answered; else the earlier answer stays until a later one comes.
 */
export function useAnswer<T>(path: string, body: object, version: unknown): Answer<T> {
  const question = `${path} ${JSON.stringify(body)}`;
  const [found, setFound] = useState<{ readonly question: string; readonly answer: Answer<T> } | undefined>(undefined);
  const isLost = useLive(() => connection.value === 'lost');
  const latest = useRef({ question, asked: 0, shown: 0 });
  if (latest.current.question !== question) latest.current = { question, asked: 0, shown: 0 };
  useEffect(() => {
    const turns = latest.current;
    turns.asked += 1;
    const turn = turns.asked;
    const take = (answer: Answer<T>): void => {
      if (latest.current !== turns || turn < turns.shown) return;
      turns.shown = turn;
      setFound({ question, answer });
    };
    act<T>(path, body).then(
      (value) => take({ state: 'there', value }),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        // While the lab does not answer, what it has said before is shown, below a banner.
        if (connection.value !== 'lost') take({ state: 'refused', why: error.message });
      },
    );
  }, [question, version, isLost]);
  return found?.question === question ? found.answer : LOADING;
}

/** The value of a loaded answer. */
export function answered<T>(answer: Answer<T>): T | undefined {
  return answer.state === 'there' ? answer.value : undefined;
}

/** The placeholder of an answer that is loading. */
export function Loading(): VNode {
  return html`<p class="empty loading" aria-busy="true">Loading…</p>`;
}
