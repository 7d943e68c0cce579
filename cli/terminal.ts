import picocolors from 'picocolors';

/** Whether standard output shows colours: a terminal, and nobody has asked for none (NO_COLOR, --no-color, TERM=dumb). */
export const colour: boolean = process.stdout.isTTY === true && picocolors.isColorSupported;
