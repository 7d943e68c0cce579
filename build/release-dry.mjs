// Does all of a release that needs no registry, and changes nothing outside a folder: packs, checks what was packed, writes the
// statement of provenance and the release notes, and prints the commands that are left. It publishes nothing and sets no tag.
// Usage: node build/release-dry.mjs [FOLDER]; npm run release:dry
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? mkdtempSync(join(tmpdir(), 'aips-release-')));
mkdirSync(folder, { recursive: true });
const faults = [];
const read = (file) => readFileSync(join(root, file), 'utf8');
const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
const say = (what, text) => console.log(`${what.padEnd(12)} ${text}`);
const hold = (what, holds, text) => {
  if (!holds) faults.push(`${what}: ${text}`);
};

// The version is the same wherever it stands, and its notes are written.
const { version, name, files } = JSON.parse(read('package.json'));
const cited = /^version: (.+)$/m.exec(read('CITATION.cff'))?.[1];
hold('version', cited === version, `package.json has ${version}, CITATION.cff ${cited}`);
const locked = JSON.parse(read('package-lock.json')).version;
hold('version', locked === version, `package.json has ${version}, package-lock.json ${locked}`);
const sections = new Map(
  read('CHANGELOG.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')).trim(), text.slice(text.indexOf('\n')).trim()]),
);
const notes = sections.get(version) ?? '';
hold('changelog', notes !== '', `CHANGELOG.md has no section ${version}`);
writeFileSync(join(folder, 'release-notes.md'), `# ${name} ${version}\n\n${notes}\n`);
say(
  'version',
  `${version} in package.json, package-lock.json and CITATION.cff; notes of ${notes.split('\n').length} lines`,
);

// The package holds what it says, and nothing that is of no use to who installs it.
const [packed] = JSON.parse(run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder));
const tarball = join(folder, packed.filename);
const paths = packed.files.map(({ path }) => path);
const needed = [
  'dist/cli/aips.js',
  'dist/runs/suite/conformance-api.js',
  'action.yml',
  'spec/known-findings.yaml',
  'README.md',
  'LICENSE',
];
for (const path of needed) hold('package', paths.includes(path), `${path} is not in it`);
hold('package', !paths.some((path) => /\.test\.(js|d\.ts)$/.test(path)), 'it holds tests');
for (const entry of files.filter((each) => !each.startsWith('!'))) {
  const start = entry.split('*')[0];
  hold(
    'package',
    paths.some((path) => path.startsWith(start)),
    `${entry} of package.json names nothing`,
  );
}
for (const path of paths.filter((each) => /\.(md|ya?ml|json)$/.test(each) && existsSync(join(root, each)))) {
  hold('package', !/\bOWNER\b/.test(read(path)), `${path} has a placeholder, OWNER`);
}
say(
  'package',
  `${packed.filename}, ${paths.length} files, ${(packed.size / 1e6).toFixed(1)} MB, ${packed.integrity.slice(0, 20)}…`,
);

// Who made it from what: the statement that CI signs (npm publish --provenance) in the form of SLSA.
const digest = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('hex');
const bytes = readFileSync(tarball);
const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
hold('provenance', integrity === packed.integrity, 'the tarball is not the one that was packed');
const commit = run('git', 'rev-parse', 'HEAD');
const clean = run('git', 'status', '--porcelain') === '';
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: `pkg:npm/${name}@${version}`, digest: { sha512: digest('sha512', bytes) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://docs.npmjs.com/cli/commands/npm-pack',
      externalParameters: { command: 'npm ci && npm run build && npm pack' },
      internalParameters: { node: process.version, clean },
      resolvedDependencies: [
        { uri: 'git+HEAD', digest: { gitCommit: commit } },
        {
          uri: 'package-lock.json',
          digest: { sha256: digest('sha256', readFileSync(join(root, 'package-lock.json'))) },
        },
      ],
    },
    runDetails: { builder: { id: 'build/release-dry.mjs' } },
  },
};
writeFileSync(join(folder, 'provenance.json'), `${JSON.stringify(statement, null, 2)}\n`);
say(
  'provenance',
  `commit ${commit.slice(0, 12)}${clean ? '' : ', and changes that are not committed'}; not signed: that takes the identity of a CI job`,
);

// Tags: that of the version is new, or here; the floating one is what workflows name.
const tag = `v${version}`;
const floating = version.startsWith('0.')
  ? `v${version.split('.').slice(0, 2).join('.')}`
  : `v${version.split('.')[0]}`;
const at = run('git', 'tag', '--list', tag) === '' ? undefined : run('git', 'rev-list', '-n', '1', tag);
hold('tag', at === undefined || at === commit, `${tag} is another commit: raise the version`);
say('tag', `${tag}${at === undefined ? ' is new' : ' is here'}; the action floats with ${floating}`);

// The image is made of the same tarball.
const dockerfile = read('Dockerfile');
hold('image', dockerfile.includes(`${name}-*.tgz`), 'the Dockerfile does not install the tarball');
hold('image', /^FROM node:(\d+)/m.exec(dockerfile)?.[1] >= '20', 'the Dockerfile is not of a Node that is supported');
for (const file of ['Dockerfile', '.dockerignore', 'package-lock.json']) writeFileSync(join(folder, file), read(file));
writeFileSync(join(folder, 'sbom.json'), `${run(process.execPath, '.ci/sbom.mjs')}\n`);
say('image', 'Dockerfile, lock file and bill of materials are with the tarball; a build needs a registry of images');

say('left', 'what needs the world:');
for (const command of [
  `npm publish ${tarball} --provenance --access public`,
  `git tag --annotate ${tag} --message "${name} ${version}" && git push origin ${tag}`,
  `git tag --force ${floating} ${tag} && git push --force origin ${floating}`,
  `docker build --build-arg VERSION=${version} --build-arg REVISION=${commit} --tag ${name}:${version} ${folder}`,
])
  console.log(`             ${command}`);
if (!run('git', 'remote').split('\n').includes('origin'))
  say('', 'there is no remote origin, and npm asks for a repository in package.json');
for (const fault of faults) console.error(`FAILED ${fault}`);
console.log(faults.length === 0 ? 'A release could be made.' : `No release: ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
