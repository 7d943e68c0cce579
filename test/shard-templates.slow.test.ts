import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { aips } from './fixtures/aips.js';
import { root } from './source-tree.js';

interface Job {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly volumeMounts: readonly { readonly name: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const job = parse(readFileSync(join(root, 'examples/kubernetes-sweep.yaml'), 'utf8')) as Job;
const [container] = job.spec.template.spec.containers;

/** A folder with a small sweep, and the built program as `aips` and as `npx` first in the path. */
function workplace(): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'aips-shards-'));
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8').replace('duration: 3d', 'duration: 6h');
  writeFileSync(join(folder, 'small.yaml'), small.replace('count: 40', 'count: 3'));
  const sweep = 'format: 1\nname: try\nquestion: What?\nscenario: small.yaml\nreplicates: 4\nmeasures: [freezes]\n';
  writeFileSync(join(folder, 'sweep.yaml'), sweep);
  const program = join(root, 'dist/cli/aips.js');
  writeFileSync(join(folder, 'aips'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  // `npx --yes aips-lab ARGUMENTS`
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`);
  for (const name of ['aips', 'npx']) chmodSync(join(folder, name), 0o755);
  return { folder, path: `${folder}:${process.env['PATH']}` };
}

describe('the templates for shards', () => {
  it('play every shard of a Slurm array, go on after a requeue, and are merged to the whole', async () => {
    const { folder, path } = workplace();
    copyFileSync(join(root, 'examples/slurm-sweep.sh'), join(folder, 'job.sh'));
    const slurm = { SLURM_ARRAY_TASK_COUNT: '2', SLURM_CPUS_PER_TASK: '1', PATH: path };
    for (const task of ['1', '2', '1']) {
      const env = { ...slurm, SLURM_ARRAY_TASK_ID: task };
      const { status, stderr } = spawnSync('bash', ['job.sh', 'sweep.yaml', 'out'], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
    }
    await aips(folder, 'experiment', 'merge', 'out/shard-1', 'out/shard-2', '--out', 'all');
    await aips(folder, 'experiment', 'sweep', 'sweep.yaml', '--out', 'whole');
    for (const file of ['rows.csv', 'summary.json', 'runs.ndjson']) {
      expect(readFileSync(join(folder, 'all', file), 'utf8')).toBe(readFileSync(join(folder, 'whole', file), 'utf8'));
    }
  });

  it('are an indexed job whose pods play as many shards as there are completions', () => {
    expect([job.apiVersion, job.kind, job.spec.completionMode]).toEqual(['batch/v1', 'Job', 'Indexed']);
    expect(container?.env).toEqual([{ name: 'SHARDS', value: String(job.spec.completions) }]);
    const { volumes } = job.spec.template.spec;
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    const { folder, path } = workplace();
    const script = (container?.args[0] ?? '').replaceAll('/data', folder);
    for (const index of ['0', '1', '1']) {
      const env = { JOB_COMPLETION_INDEX: index, SHARDS: '2', PATH: path };
      const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
    expect(readFileSync(join(folder, 'shard-2/runs.ndjson'), 'utf8').trim().split('\n')).toHaveLength(2);
  });
});
