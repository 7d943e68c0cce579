/** `aips spec openapi`: prints the OpenAPI document of a service, which spec/openapi-endpoints.ts makes. */

import type { Argv, CommandModule } from 'yargs';
import { openApiOf } from '../../spec/openapi-endpoints.js';
import { dialectOption, protocolFile } from '../flags/common-options.js';
import { readDialect, readProtocol } from '../flags/facts.js';

interface Flags {
  readonly service: 'registry' | 'beats';
  readonly dialect: string;
  readonly protocol: string | undefined;
}

/** `aips spec openapi`: the document of one service on standard output. */
export const openapiCommand: CommandModule<object, Flags> = {
  command: 'openapi [service]',
  describe: 'Print the OpenAPI 3.1 document of the registry or of the beats service',
  builder: (args: Argv) =>
    args
      .positional('service', {
        choices: ['registry', 'beats'] as const,
        default: 'registry' as const,
        describe: 'Which of the two services',
      })
      .options({ ...dialectOption, ...protocolFile })
      .example('$0 spec openapi > registry.json', 'the registry')
      .example('$0 spec openapi beats', 'the beats service'),
  handler: ({ service, dialect, protocol }) => {
    const named = readDialect(dialect);
    const facts = { protocol: readProtocol(protocol, named), dialect: named };
    console.log(JSON.stringify(openApiOf(service, facts), null, 2));
  },
};
