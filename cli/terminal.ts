/** Says whether standard output shows colours. */

import picocolors from 'picocolors';

/** True for a terminal, unless NO_COLOR, --no-color or TERM=dumb asks for no colour. */
export const colour: boolean = process.stdout.isTTY === true && picocolors.isColorSupported;
