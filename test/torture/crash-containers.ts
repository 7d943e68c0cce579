/**
 * Servers in containers of their own on one folder: each has its PID namespace, in which it is process 1, and every other one its
 * own host name. The second is refused while the first lives, takes over at once when it was killed, and takes over after a
 * lease when it is stopped where nobody can reach its socket; what wakes up then acknowledges nothing.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from '../faults/chance.js';
import { runAips, ServerProcess } from './server-process.js';

const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child=KILL'];
const OTHER_HOST = [...NAMESPACE, '--uts', 'sh', '-c', 'hostname other-host && exec "$@"', 'sh'];
const WRITERS = 8;
const CALLS_MAX = 60;
const CONTENDERS = 4;

/** The outcome. */
interface ContainerCrashes {
  readonly takeovers: number;
  readonly refused: number;
  readonly acknowledged: number;
  readonly broken: readonly string[];
}

/** Whether this kernel lets this process make such namespaces. */
export function canMakeContainers(): boolean {
  return [NAMESPACE, OTHER_HOST].every(
    ([command, ...args]) => spawnSync(String(command), [...args, 'true']).status === 0,
  );
}

/** Kills the owner of a folder `kills` times, while others try to take it. */
export async function containerCrashes(kills: number, seed: number): Promise<ContainerCrashes> {
  const root = mkdtempSync(join(tmpdir(), 'aips-containers-'));
  const folder = join(root, 'data');
  const run = new Run(folder, ['--data', folder, '--clock', 'manual', '--seed', String(seed)]);
  const chance = new Chance(seed);
  try {
    let owner = await run.start(0);
    for (let kill = 1; kill <= kills; kill++) {
      await run.write(owner, 1 + chance.below(CALLS_MAX));
      await run.requireRefusal(kill);
      await endInside(owner, 'SIGKILL');
      owner = await run.startOneOf(kill);
      await run.requireAll(owner);
    }
    owner = await run.wakeTheStopped(owner);
    await run.requireAll(owner);
    const status = await endInside(owner, 'SIGTERM');
    if (status !== 0) run.broken.push(`a stop ended with status ${status}`);
    const verified = await runAips('journal', 'verify', folder);
    if (verified.status !== 0) run.broken.push(`the journal is not sound: ${verified.out}`);
    return { takeovers: run.takeovers, refused: run.refused, acknowledged: run.hashes.length, broken: run.broken };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

class Run {
  private calls = 0;
  takeovers = 0;
  refused = 0;
  /** The agents that were acknowledged. */
  readonly hashes: string[] = [];
  readonly broken: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly flags: readonly string[],
  ) {}

  start(number: number): Promise<ServerProcess> {
    return ServerProcess.start(this.flags, number % 2 === 0 ? NAMESPACE : OTHER_HOST);
  }

  async write(server: ServerProcess, calls: number): Promise<void> {
    let left = calls;
    const writer = async (): Promise<void> => {
      while (left-- > 0) {
        const hash = await this.register(server);
        if (hash === undefined) this.broken.push('a registration with the owner of the folder was refused');
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  /** The hash of an agent; undefined when the server says that it cannot keep it. */
  private async register(server: ServerProcess): Promise<string | undefined> {
    const reply = await server.call({
      side: 'registry',
      method: 'POST',
      path: '/api/v1/register',
      body: { name: 'a' },
      headers: this.nextAddress(),
    });
    if (reply.status === 503) return undefined;
    if (reply.status !== 200) throw new Error(`register was answered ${reply.status}: ${reply.text}`);
    this.hashes.push(String(reply.body['hash']));
    return String(reply.body['hash']);
  }

  async requireRefusal(number: number): Promise<void> {
    const refusal = await this.start(number).then(
      async (server) => {
        await endInside(server, 'SIGKILL');
        return 'it started';
      },
      (error: Error) => error.message,
    );
    if (refusal.includes('is using this folder')) this.refused += 1;
    else this.broken.push(`a second container was not refused: ${refusal}`);
  }

  /** Several come at once for a folder whose owner is dead, and one gets it. */
  async startOneOf(number: number): Promise<ServerProcess> {
    const came = await Promise.allSettled(Array.from({ length: CONTENDERS }, (_, i) => this.start(number + i)));
    const winners = came.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    const others = came.filter((each) => each.status === 'rejected').map(({ reason }) => String(reason));
    for (const reason of others.filter((each) => !each.includes('is using this folder')))
      this.broken.push(`one of several was refused otherwise: ${reason}`);
    const [winner] = winners;
    if (winner === undefined || winners.length > 1)
      throw new Error(`${winners.length} of ${CONTENDERS} have the folder: ${others.join(' ')}`);
    this.takeovers += 1;
    this.refused += others.length;
    return winner;
  }

  /** Nobody reaches the owner's socket, as on another host; it is stopped for longer than its lease, and then goes on. */
  async wakeTheStopped(owner: ServerProcess): Promise<ServerProcess> {
    for (const name of readdirSync(this.folder)) if (name.endsWith('.sock')) rmSync(join(this.folder, name));
    signalInside(owner, 'SIGSTOP');
    const next = await this.start(1);
    this.takeovers += 1;
    await this.write(next, CALLS_MAX);
    signalInside(owner, 'SIGCONT');
    for (let calls = 0; calls < WRITERS; calls++) {
      if ((await this.register(owner)) !== undefined)
        this.broken.push('a server acknowledged a command after it had lost its folder');
    }
    await this.write(next, CALLS_MAX);
    const status = await endInside(owner, 'SIGKILL');
    if (status === 0) this.broken.push('a server that had lost its folder ended as if nothing had been');
    return next;
  }

  /** No two calls come from one address, so that no rate limit is met. */
  private nextAddress(): Readonly<Record<string, string>> {
    const n = this.calls++;
    return { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
  }

  /** Every agent that was acknowledged is there. */
  async requireAll(server: ServerProcess): Promise<void> {
    for (const hash of this.hashes) {
      const headers = this.nextAddress();
      const { status } = await server.call({
        side: 'registry',
        method: 'GET',
        path: `/api/v1/status/${hash}`,
        headers,
      });
      if (status !== 200) this.broken.push(`agent ${hash} was acknowledged and is lost`);
    }
  }
}

/** Ends the server in a namespace, and waits until the namespace is gone. */
async function endInside(server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const gone = once(server.child, 'exit');
  signalInside(server, signal);
  await gone;
  return server.end(signal);
}

/** Sends a signal to the server in a namespace: unshare, which is its parent, is outside. */
function signalInside({ pid }: ServerProcess, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const child of children) process.kill(Number(child), signal);
}
