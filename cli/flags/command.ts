/** A command as its own file has it, and as commands.ts lists it. */

import type { Argv, CommandModule } from 'yargs';

/** A command as its own file has it: its flags and what it does. */
export type Command<Flags = object> = Pick<CommandModule<object, Flags>, 'handler'> & {
  readonly builder: (args: Argv) => Argv | Argv<Flags>;
};
