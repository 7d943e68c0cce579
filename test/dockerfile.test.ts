// The Dockerfile has no finding of a linter, and follows the practice that the linter does not know. .ci/image builds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.js';

const LABELS = ['title', 'description', 'licenses', 'version', 'revision', 'base.name'];
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');

/** The flaws of a Dockerfile, in words. */
function flaws(text: string): readonly string[] {
  const file = DockerfileParser.parse(text);
  const found = validate(text).map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  const hold = (holds: boolean, words: string): void => {
    if (!holds) found.push(words);
  };
  const stages = file.getFROMs();
  const names = stages.map((from) => from.getBuildStage());
  const bases = stages.filter((from) => !names.includes(from.getImage()));
  hold(stages.length > 1, 'a single stage keeps what only the build needs');
  for (const from of bases) {
    hold(/^\d+\.\d+\.\d+-\w+-slim$/.test(from.getImageTag() ?? ''), `${from.getImage()} names no version`);
  }
  const all = file.getInstructions();
  const final = all.slice(all.findLastIndex((each) => each.getKeyword() === 'FROM'));
  const of = (keyword: string): readonly string[] =>
    final.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '');
  hold(of('RUN').length === 0, 'the image runs a command, which needs emulation for another processor');
  hold(/^[1-9]\d*:[1-9]\d*$/.test(of('USER').at(-1) ?? ''), 'the user is root, or has no number');
  hold(/"node"/.test(of('HEALTHCHECK')[0] ?? ''), 'no check of health by node');
  hold(of('ENTRYPOINT')[0]?.startsWith('[') ?? false, 'a shell is between signals and the command');
  const labels = of('LABEL').join(' ');
  for (const name of LABELS) hold(labels.includes(`org.opencontainers.image.${name}="`), `no label ${name}`);
  for (const from of bases)
    hold(labels.includes(`base.name="docker.io/library/${from.getImage()}"`), 'another base.name');
  const sources = file.getCOPYs().filter((copy) => !copy.getFlags().some((flag) => flag.getName() === 'from'));
  for (const source of sources.flatMap((copy) => copy.getArguments().slice(0, -1))) {
    hold(ignored.includes(`!${source.getValue()}`), `.dockerignore leaves ${source.getValue()} out`);
  }
  hold(!/\b(?:curl|wget|sudo|apt-get|apk)\b/.test(text), 'the image gets more than it needs');
  return found;
}

describe('the Dockerfile', () => {
  it('has no flaw, and is told how its digest is pinned', () => {
    expect(flaws(dockerfile)).toEqual([]);
    expect(dockerfile).toContain('docker buildx imagetools inspect node:24.22.3-bookworm-slim');
  });

  it.each([
    ['node:24.22.3-bookworm-slim AS', 'node:24 AS', 'node:24 names no version'],
    ['node:24.22.3-bookworm-slim AS', 'node AS', 'node names no version'],
    ['base.name="docker.io/library/node:24', 'base.name="docker.io/library/node:22', 'another base.name'],
    ['USER 1000:1000', 'USER node', 'the user is root, or has no number'],
    ['USER 1000:1000', '', 'the user is root, or has no number'],
    ['HEALTHCHECK --interval=30s', 'HEALTHCHECK --interval=30', 'time: missing unit in duration 30'],
    ['["node", "-e"', '["curl", "-f"', 'no check of health by node'],
    ['ENTRYPOINT ["aips"]', 'ENTRYPOINT aips', 'a shell is between signals and the command'],
    ['org.opencontainers.image.revision=', 'revision=', 'no label revision'],
    ['sbom.json ./', 'sbom.json LICENSE ./', '.dockerignore leaves LICENSE out'],
    ['WORKDIR /work', 'WORKDIR work', 'WORKDIR paths should be absolute'],
  ])('would be found with %j as %j', (from, to, flaw) => {
    expect(dockerfile).toContain(from);
    expect(flaws(dockerfile.replace(from, to))).toContainEqual(expect.stringContaining(flaw));
  });
});
