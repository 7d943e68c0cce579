/** The sentence that tells the server of the Overview and the Server view from the one that runs judge. */

import { html, useLive, type VNode } from './markup.js';
import { target } from './store.js';

/** The sentence. */
export function LivesHere(): VNode {
  const url = useLive(() => target.value);
  const judged =
    url === null ? 'each run judges another one that it starts for itself' : html`runs judge <code>${url}</code>`;
  return html`<p class="lead">The lab's reference lives here; ${judged}.</p>`;
}
