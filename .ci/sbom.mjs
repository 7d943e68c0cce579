// Prints a bill of materials (CycloneDX 1.5, JSON) of the packages that users get, from the lock file. npm's own `npm sbom` leaves
// out those that a package for development needs as well, and refuses peers of other versions.
// Usage: node .ci/sbom.mjs [FOLDER with package.json and package-lock.json]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? process.cwd();
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
const { '': own, ...installed } = packages;

const nameOf = (path) => path.split('node_modules/').at(-1);
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
const refOf = (path) => (path === '' ? purlOf(own.name, own.version) : purlOf(nameOf(path), packages[path].version));
// An optional package is here as the peer of another: npm does not install it with ours.
const withUsers = Object.keys(installed).filter((path) => {
  const { dev, devOptional, optional } = installed[path];
  return !dev && !devOptional && !optional;
});

/** Where Node finds a package that another one asks for: beside it, or further up. */
function pathOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (path in packages) return path;
    if (at === '') return undefined;
    if (!at.includes('/node_modules/')) at = '';
  }
}

function componentOf(path) {
  const { version, license, integrity, resolved } = packages[path];
  const name = nameOf(path);
  const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': refOf(path),
    name,
    version,
    purl: refOf(path),
    hashes: [{ alg: 'SHA-512', content: hash }],
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(resolved === undefined ? {} : { externalReferences: [{ type: 'distribution', url: resolved }] }),
  };
}

/** One entry for each package, however often it is installed. */
function once(entries, keyOf) {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

const dependenciesOf = (path) => ({
  ref: refOf(path),
  dependsOn: [
    ...new Set(
      Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies })
        .map((name) => pathOf(name, path))
        .filter((found) => found !== undefined)
        .map(refOf),
    ),
  ].sort(),
});

const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': refOf(''), name: own.name, version: own.version, purl: refOf('') },
  },
  components: once(withUsers.map(componentOf), (component) => component['bom-ref']),
  dependencies: once(['', ...withUsers].map(dependenciesOf), ({ ref }) => ref),
};
console.log(JSON.stringify(bill, null, 2));
