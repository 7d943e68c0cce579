/** `aips lab`: reads the flags, starts the lab and opens the browser. lab/server has the lab itself. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { readAssets } from '../../lab/server/assets.js';
import { startLab } from '../../lab/server/lab.js';
import { namedInput } from '../../runs/host/input-bytes.js';
import { scenarioSource } from '../../runs/simulation/scenario-source.js';
import { readTarget } from '../../runs/suite/target-file.js';
import type { Command } from '../flags/command.js';
import { seed } from '../flags/common-options.js';
import { listenFailure, readPort, readSeed, stopSignal } from '../flags/server-flags.js';

const options = {
  target: { type: 'string', describe: 'Target file of the server that runs judge; absent: a reference of their own' },
  scenario: {
    type: 'string',
    describe: 'Scenario file of the population that lives in the reference; absent: a small one',
  },
  folder: {
    type: 'string',
    describe: 'Folder whose sweeps (*.yaml) and failed sequences (fuzz-failure.json) the page offers',
  },
  port: { type: 'number', default: 8799, describe: 'Port of the page, on 127.0.0.1 alone; 0 takes any free one' },
  tokenFile: {
    type: 'string',
    describe: 'File of mode 0600 that keeps the token: with the same --port, open tabs go on after a restart',
  },
  open: { type: 'boolean', default: true, describe: 'Open the page in the browser' },
  run: { type: 'boolean', default: true, describe: 'Start with a run of the suite, and an hour of the population' },
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON, for tests: url, token, token_file' },
  ...seed,
} as const;

type Flags = InferredOptionTypes<typeof options>;

const HOUR_MS = 3_600_000;

/** `aips lab`: one live page over the reference, the suite and the simulator, until SIGTERM or SIGINT. */
export const labCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 lab', 'a reference with a small living population, and a run')
      .example('$0 lab --target target.yaml', 'runs judge your server')
      .example('$0 lab --no-open --json --port 0', 'for tests'),
  handler: serveLab,
};

async function serveLab(flags: Flags): Promise<void> {
  const port = readPort('--port', flags.port);
  const file = flags.target;
  const target = file === undefined ? undefined : readTarget({ target: file });
  const source = flags.scenario === undefined ? undefined : await scenarioSource(flags.scenario);
  const lab = await startLab({
    ...{
      port,
      seed: readSeed(flags.seed),
      target,
      targetFile: file === undefined ? undefined : resolve(namedInput(file, 'target file')),
      scenario: source?.scenario,
      folder: flags.folder,
      tokenFile: flags.tokenFile,
      assets: readAssets(),
    },
    onError: (error) => console.error(error),
    onProblem: (problem) => console.error(`--folder: not offered: ${problem}`),
  }).catch((error: unknown) => {
    throw listenFailure(error, '--port');
  });
  let isStopping = false;
  const stop = stopSignal().then(() => {
    isStopping = true;
  });
  const url = lab.server.newUrl();
  if (flags.json) {
    console.log(
      JSON.stringify({
        url,
        token: lab.token,
        token_file: lab.tokenFile,
        control_token: lab.reference.running.controlToken,
      }),
    );
  } else {
    console.log(`The lab is open at ${url}`);
    console.log('This address works once; the page makes more for other tabs.');
    console.log(`Token for scripts: ${lab.tokenFile}. Ctrl-C stops.`);
  }
  if (flags.run) begin(lab, () => isStopping).catch((error: unknown) => console.error(error));
  if (flags.open && !flags.json) openBrowser(url);
  await stop;
  await lab.close();
}

/** The first hour of the population, then a run unless the lab is being stopped. */
async function begin(
  { reference, actions }: Awaited<ReturnType<typeof startLab>>,
  isStopping: () => boolean,
): Promise<void> {
  await reference.advance(HOUR_MS);
  if (!isStopping()) actions.find(({ path }) => path === 'conformance/run')?.run({});
}

/** Opens the browser by the system's own command. Without one, the user opens the printed address. */
function openBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
