/** How far beyond a bound a number is tried that rounding would take for the bound itself. */
export const JUST_BEYOND = 0.4;
