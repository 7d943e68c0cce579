/** The page of the lab: opens the session, then the shell. */

import { openSession } from './api.js';
import { html, render } from './markup.js';
import { readAddress } from './place.js';
import { Shell } from './shell.js';
import { type Overview, start } from './store.js';

const place = document.getElementById('lab');
if (place === null) throw new Error('the page has no place for the lab');
place.replaceChildren();
const session = await openSession<Overview>('overview');
// The state is taken before the first drawing: one of an empty frame would be in its way.
readAddress();
const started = session && start(session.answer);
render(html`<${Shell} />`, place);
await started;
document.documentElement.dataset['ready'] = 'true';
