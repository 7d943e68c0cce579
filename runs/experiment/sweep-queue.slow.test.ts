import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aips, aipsProcess, type Finished } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';
import { QUEUE } from './sweep-queue.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const title = hasRedis
  ? 'gives the bytes of one machine, though one of its workers is killed and a run fails'
  : 'NOT CHECKED over a queue: no redis-server on this machine (Debian: apt-get install redis-server)';
const folder = mkdtempSync(join(tmpdir(), 'aips-queue-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const started: ChildProcess[] = [];

/** Starts a process that ends with the tests. */
function start(program: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

/** Starts the built command. What it has printed so far can be waited for. */
function startAips(...args: readonly string[]) {
  const child = start(process.execPath, join(root, 'dist/cli/aips.js'), ...args);
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const ended = new Promise<Finished>((end) => child.once('close', (status) => end({ status, ...said })));
  const says = async (stream: 'stdout' | 'stderr', text: string): Promise<ChildProcess> => {
    while (!said[stream].includes(text)) {
      if (child.exitCode !== null) throw new Error(`it ended without saying ${text}: ${JSON.stringify(said)}`);
      await delay(20);
    }
    return child;
  };
  return { ended, says };
}

const freePort = (): Promise<number> =>
  new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => found(port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts a Redis that keeps nothing. Returns its port. */
async function startRedis(): Promise<number> {
  const port = await freePort();
  const redis = start(
    'redis-server',
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  );
  while (!(await answers(port))) {
    if (redis.exitCode !== null) throw new Error(`redis-server ended with ${redis.exitCode}`);
    await delay(50);
  }
  return port;
}

/** Takes a run out of the queue as a worker does that dies with it. Returns its id. */
async function loseRun(port: number): Promise<string> {
  const worker = new Worker(QUEUE, null, { connection: { host: '127.0.0.1', port }, lockDuration: 500 });
  const job = await worker.getNextJob('dies');
  await worker.close(true);
  if (job?.id === undefined) throw new Error('the queue has no run');
  return job.id;
}

beforeAll(() => {
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  write('small.yaml', small.replace('duration: 3d', 'duration: 10d').replace('count: 40', 'count: 60'));
  const tooMuch = '{ below: 9000000000000000, amount: 9000000 SOL, after: 1h, times: 3 }';
  write(
    'sweep.yaml',
    [
      'format: 1',
      'name: queued',
      'question: Same?',
      'scenario: small.yaml',
      'replicates: 4',
      'design:',
      '  kind: table',
      '  rows:',
      '    - { name: sixty, set: { protocol.dms.missedAnchorsMax: 60 } }',
      '    - { name: ninety, set: { protocol.dms.missedAnchorsMax: 90 } }',
      `    - { name: fails, set: { populations.workers.budget.top_up: ${tooMuch} } }`,
      '',
    ].join('\n'),
  );
  write('tiny.yaml', 'format: 1\nname: tiny\nquestion: Same?\nscenario: small.yaml\nreplicates: 1\n');
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

describe('a sweep over a queue', () => {
  it.skipIf(!hasRedis)(title, async () => {
    const alone = await aips(folder, 'experiment', 'sweep', 'sweep.yaml', '--out', 'alone');
    expect(alone.status).toBe(1);
    const port = await startRedis();
    const url = `redis://127.0.0.1:${port}`;
    const sweep = startAips(...['experiment', 'sweep', 'sweep.yaml', '--redis', url, '--out', 'queued']);
    await sweep.says('stderr', 'The runs wait: no worker of aips-lab');
    const lost = await loseRun(port);
    const workers = [1, 2].map(() => startAips('experiment', 'worker', '--redis', url, '--lease', '2'));
    const killed = await Promise.race(workers.map(({ says }) => says('stdout', ', replicate ')));
    killed.kill('SIGKILL');
    const { status, stdout } = await sweep.ended;
    expect([status, stdout]).toEqual([alone.status, alone.stdout.replaceAll('alone', 'queued')]);
    const names = readdirSync(join(folder, 'alone')).toSorted();
    expect(readdirSync(join(folder, 'queued')).toSorted()).toEqual(names);
    for (const name of names) {
      const [one, other] = ['alone', 'queued'].map((place) => readFileSync(join(folder, place, name)));
      expect(other?.equals(one as Buffer), name).toBe(true);
    }
    expect(readFileSync(join(folder, 'queued/rows.csv'), 'utf8')).toContain('the ledger holds no more money');

    const queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port } });
    const [job, counts] = [await queue.getJob(lost), await queue.getJobCounts('completed', 'failed', 'active', 'wait')];
    await queue.close();
    expect(job?.stalledCounter).toBeGreaterThanOrEqual(1);
    expect(counts).toEqual({ completed: 8, failed: 4, active: 0, wait: 0 });
  });

  it.skipIf(!hasRedis)(
    "has behaviours of one's own played by workers that have the same module, and by no others",
    async () => {
      for (const name of ['frugal.mjs', 'frugal.yaml']) cpSync(join(root, 'docs/examples', name), join(folder, name));
      write('other.mjs', `${readFileSync(join(folder, 'frugal.mjs'), 'utf8')}// another\n`);
      write('own.yaml', 'format: 1\nname: own\nquestion: Same?\nscenario: frugal.yaml\nreplicates: 3\n');
      const own = ['--behaviours', 'frugal.mjs'];
      const alone = await aipsProcess(
        folder,
        'experiment',
        'sweep',
        'own.yaml',
        ...own,
        '--out',
        'own-alone',
        '--threads',
        '2',
      );
      expect(alone.status).toBe(0);
      const url = `redis://127.0.0.1:${await startRedis()}`;
      const queue = ['--redis', url];
      const other = startAips('experiment', 'worker', '--redis', url, '--behaviours', 'other.mjs');
      const stranger = await other.says('stderr', 'waits for runs');
      const refused = await aips(folder, 'experiment', 'sweep', 'own.yaml', ...own, ...queue, '--out', 'own-queued');
      stranger.kill('SIGTERM');
      await other.ended;
      expect(refused.status).toBe(1);
      const why =
        /the worker has another module of behaviours \(other\.mjs\): start it with aips experiment worker --behaviours, and the module whose SHA-256 is [0-9a-f]{64} \(frugal\.mjs\)/g;
      expect(refused.stdout.match(why)).toHaveLength(3);
      const worker = startAips('experiment', 'worker', '--redis', url, ...own);
      await worker.says('stderr', 'waits for runs');
      expect((await aips(folder, 'experiment', 'resume', 'own-queued', ...own, ...queue)).status).toBe(0);
      for (const name of readdirSync(join(folder, 'own-alone'))) {
        const [one, other] = ['own-alone', 'own-queued'].map((place) => readFileSync(join(folder, place, name)));
        expect(other?.equals(one as Buffer), name).toBe(true);
      }
    },
  );

  it.each([
    [['tiny.yaml', '--redis', 'localhost'], '--redis localhost: must be a URL such as redis://127.0.0.1:6379.\n'],
    [
      ['tiny.yaml', '--redis', 'redis://127.0.0.1:1'],
      /^--redis: nothing answers there \(.*ECONNREFUSED.*\)\. Start Redis, or name another URL\.\n$/,
    ],
  ])('%j is refused', async (flags, message) => {
    const { status, stderr } = await aips(folder, 'experiment', 'sweep', ...flags);
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });
});
