/**
 * Floods of a server by clients that break no rule of HTTP: bodies of one-byte chunks, requests without waiting for replies, replies
 * that are not read, half a body, and more connections than files may be open. The server has a small heap, has to survive each, and is
 * judged by the memory that it holds, not by time.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type Call, ServerProcess } from './server-process.js';

/** The most memory that a server may hold at any time. */
const PEAK_MB_MAX = 400;
const SMALL_HEAP = ['env', 'NODE_OPTIONS=--max-old-space-size=256'];
/** As many files may be open in the last flood as a shell permits by default on many systems. */
const OPEN_FILES = 1_024;
const FEW_FILES = ['sh', '-c', `ulimit -n ${OPEN_FILES} && exec "$0" "$@"`];
const FREE_MIN = 128;

interface Flood {
  readonly name: string;
  readonly connections: number;
  /** Written to each connection at once. */
  readonly sent: string;
}

const HEAD = 'POST /api/v1/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const GET = 'GET /api/v1/fees/summary HTTP/1.1\r\nHost: x\r\n\r\n';
const TINY_CHUNKS = `Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(65_000)}`;

/** Those that take little time come first. */
const floods: readonly Flood[] = [
  { name: 'half a body each', connections: 3_000, sent: `${HEAD}Content-Length: 65536\r\n\r\n${' '.repeat(60_000)}` },
  { name: 'bodies in chunks of one byte', connections: 100, sent: HEAD + TINY_CHUNKS },
  { name: 'the same with gzip', connections: 100, sent: `${HEAD}Content-Encoding: gzip\r\n${TINY_CHUNKS}` },
  { name: 'the same behind other requests', connections: 100, sent: GET + HEAD + TINY_CHUNKS },
  { name: 'requests without waiting for replies', connections: 2_000, sent: GET.repeat(100) },
  { name: 'many header fields', connections: 2_000, sent: `GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(3_900)}` },
];

/** A call by a client whose rate limits are its own. */
const AFTERWARDS: Call = {
  ...({ side: 'registry', method: 'GET', path: '/api/v1/fees/summary' } as const),
  headers: { 'x-forwarded-for': '198.51.100.1' },
};

/** The highest memory of a process so far. */
function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1_024;
}

/** Opens connections, and resolves when each has taken what is sent, or was closed by the server. */
async function flood(port: number, { connections, sent }: Omit<Flood, 'name'>): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const taken: Promise<void>[] = [];
  for (let n = 0; n < connections; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    // Replies are not read.
    socket.pause();
    sockets.push(socket);
    taken.push(
      new Promise((done) => {
        socket
          .once('close', () => done())
          .once('connect', () => (sent === '' ? done() : socket.write(sent, () => done())));
      }),
    );
  }
  await Promise.all(taken);
  return sockets;
}

/** Sends the first `count` floods, by default all, each to a server of its own. Returns the faults, and a line for each flood. */
export async function runFloods(count = floods.length): Promise<{
  readonly problems: readonly string[];
  readonly lines: readonly string[];
}> {
  const problems: string[] = [];
  const lines: string[] = [];
  for (const each of floods.slice(0, count)) {
    const server = await ServerProcess.start([], SMALL_HEAP);
    try {
      const sockets = await flood(server.port, each);
      await server.call(AFTERWARDS);
      for (const socket of sockets) socket.destroy();
      const { status } = await server.call(AFTERWARDS);
      const mb = peakMb(server.pid);
      lines.push(`  ${each.name}, ${each.connections} connections: ${mb.toFixed(0)} MB at most`);
      if (status !== 200) problems.push(`${each.name}: afterwards a call is answered ${status}`);
      if (mb > PEAK_MB_MAX) problems.push(`${each.name}: the server held ${mb.toFixed(0)} MB`);
    } catch (error) {
      problems.push(`${each.name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await server.end('SIGKILL');
    }
  }
  return { problems, lines };
}

/** More idle connections than files may be open: some stay free, for the journal among others. Returns what is wrong. */
export async function exhaustOpenFiles(folder: string): Promise<readonly string[]> {
  const server = await ServerProcess.start(['--data', folder, '--clock', 'manual'], FEW_FILES);
  try {
    const sockets = await flood(server.port, { connections: OPEN_FILES + 100, sent: '' });
    const call = { side: 'registry', method: 'POST', path: '/api/v1/register', body: { name: 'x' } } as const;
    const { status, text } = await server.call(call);
    const open = readdirSync(`/proc/${server.pid}/fd`).length;
    for (const socket of sockets) socket.destroy();
    return [
      ...(status === 200 ? [] : [`under idle connections a registration is answered ${status} ${text}`]),
      ...(open < OPEN_FILES - FREE_MIN ? [] : [`under idle connections ${open} of ${OPEN_FILES} files are open`]),
    ];
  } finally {
    await server.end('SIGKILL');
  }
}
