/** The page of the lab: opens the session, then the shell. */

import { openSession } from './api.js';
import { html, render } from './markup.js';
import { Shell } from './shell.js';
import { start } from './store.js';

const place = document.getElementById('lab');
if (place === null) throw new Error('the page has no place for the lab');
place.replaceChildren();
// The frame is drawn while the server answers.
const opened = openSession();
render(html`<${Shell} />`, place);
if (await opened) await start();
document.documentElement.dataset['ready'] = 'true';
