/** `aips demo`, which `npm start` runs: reference up, suite over HTTP, one scenario, one page about both. */

import { join, resolve } from 'node:path';
import type { Argv } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { conformanceSummary } from '../../reports/conformance/console.js';
import { simulationSummary } from '../../reports/simulation/simulation-console.js';
import { indexPage } from '../../reports/views/index-page.js';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { packageRoot, packageVersion } from '../../runs/host/package.js';
import { colour } from '../../runs/host/terminal.js';
import { startReference, targetYaml, WITH_WEBHOOKS } from '../../runs/server/reference-process.js';
import { simulationFiles } from '../../runs/simulation/outputs.js';
import { playRun } from '../../runs/simulation/play.js';
import { runSourceOf, scenarioSource } from '../../runs/simulation/scenario-source.js';
import { judge } from '../../runs/suite/judge.js';
import { reportFiles } from '../../runs/suite/report-files.js';
import { recordLives } from '../../simulator/run/agent-lives.js';
import { startRun } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';
import type { Command } from '../flags/command.js';
import { seed } from '../flags/common-options.js';

interface DemoFlags {
  readonly out: string;
  readonly seed: number;
}

/** `aips demo`: what `npm start` runs. */
export const demoCommand: Command<DemoFlags> = {
  builder: (args: Argv) =>
    args
      .options(seed)
      .option('out', { type: 'string', default: 'out', describe: 'Folder of the page and the reports' })
      .example('$0 demo', 'writes out/index.html'),
  handler: demo,
};

async function demo({ out, seed }: DemoFlags): Promise<void> {
  ensureFolder(out);
  const server = await startReference({ seed, ...WITH_WEBHOOKS });
  try {
    const options = { seed, quick: true, toolVersion: packageVersion(), nowWallMs: Date.now };
    const conformance = conclude([await judge(server.target, options)], { checks: allChecks });
    const scenario = join(packageRoot(), 'scenarios/library/quickstart.yaml');
    const source = await scenarioSource(scenario, { seed, label: 'scenarios/library/quickstart.yaml' });
    const run = startRun(source.scenario, source.seed);
    const lives = recordLives(run.world);
    const simulation = resultOf(run, runSourceOf(source), await playRun(run));
    const targetFile = join(out, 'target.yaml');
    const writing = { command: `aips conform --target ${targetFile}`, strict: false };
    writeFiles(out, {
      'index.html': indexPage(conformance, simulation, writing, lives()),
      ...reportFiles(conformance, writing, ['json', 'junit']),
      ...simulationFiles(simulation, 'simulation/'),
      'target.yaml': sameReference(seed),
    });
    console.log(conformanceSummary(conformance, { colour, ...writing, where: join(out, 'conformance.json') }));
    console.log(`\n${simulationSummary(simulation, { colour })}`);
    console.log(`\nThe page: ${resolve(out, 'index.html')}`);
    console.log('Next: judge a server of your own by its URL: aips conform http://localhost:8080 --out out');
    console.log(`Or work in a live page: ${packageRoot() === process.cwd() ? 'npm run lab' : 'aips lab'}`);
    const holds = simulation.expectations.every((each) => each.holds);
    process.exitCode =
      conformance.exit_status !== EXIT.clean ? conformance.exit_status : holds ? EXIT.clean : EXIT.unclean;
  } finally {
    await server.stop();
  }
}

/** A target file for running a check again later: the demo's own server is gone by then. */
function sameReference(seed: number): string {
  const urls = {
    base_url: 'http://127.0.0.1:8787',
    beats_url: 'http://127.0.0.1:8788',
    control_url: 'http://127.0.0.1:8789',
    control_token: 'lab',
  };
  const command = `aips serve --clock manual --trust-forwarded-for --control-token lab --seed ${seed} ${WITH_WEBHOOKS.flags.join(' ')}`;
  return `# The reference that the demo judged, once it is started by:\n#   ${command}\n${targetYaml(urls, WITH_WEBHOOKS.target)}`;
}
