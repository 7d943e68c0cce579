/** A command with the folder in which it runs. */

import { html, useLive, type VNode } from './markup.js';
import { Command } from './parts.js';
import { folder } from './store.js';

/** A command that does the same in a new shell. */
export function ShellCommand({ text }: { readonly text: string }): VNode {
  const place = useLive(() => folder.value);
  return html`<div><p>The same from a shell, in <code>${place}</code></p><${Command} text=${text} /></div>`;
}
