import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeDocuments } from '../cli/spec/spec.js';
import { anchorsOf, type Document, documentAt, documents, linksOf, pathsIn } from './fixtures/markdown.js';
import { root } from './source-tree.js';

const all = documents();
/** Documents that the build makes, and the package has. */
const made = Object.keys(madeDocuments()).map((name) => `docs/${name}`);

/** The file that a link of a document leads to, and its anchor. */
function destination(
  { path }: Pick<Document, 'path'>,
  link: string,
): { readonly file: string; readonly anchor: string } {
  const [file = '', anchor = ''] = link.split('#');
  return { file: file === '' ? path : normalize(join(dirname(path), file)), anchor };
}

function brokenLinks(document: Document): readonly string[] {
  return linksOf(document).filter((link) => {
    const { file, anchor } = destination(document, link);
    if (made.includes(file)) return false;
    if (!existsSync(join(root, file))) return true;
    return anchor !== '' && !anchorsOf(documentAt(file)).includes(anchor);
  });
}

it.each(all.map(({ path, text }) => [path, text]))('%s has no unresolved merge in it', (_path, text) => {
  expect(text).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
});

describe('links', () => {
  it.each(all.map((document) => [document.path, document] as const))('of %s lead somewhere', (_path, document) => {
    expect(brokenLinks(document)).toEqual([]);
  });

  it('that lead nowhere would be found', () => {
    const text = '[a](no-such-file.md) [b](README.md#no-such-heading) [c](#here) [d](https://example.org)\n\n# Here\n';
    expect(brokenLinks({ path: 'x.md', text }).slice(0, 2)).toEqual(['no-such-file.md', 'README.md#no-such-heading']);
  });

  it('of the documents in the package lead to files in the package', () => {
    const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
    const packedPaths = files.map(({ path }) => path);
    expect(packedPaths).toContain('docs/conform.md');
    expect(packedPaths).not.toContain('test/documents.test.ts');
    const lost = all
      .filter(({ path }) => packedPaths.includes(path))
      .flatMap((document) => linksOf(document).map((link) => destination(document, link).file))
      .filter(
        (file) => !made.includes(file) && !packedPaths.some((path) => path === file || path.startsWith(`${file}/`)),
      );
    expect([...new Set(lost)]).toEqual([]);
  });
});

/** Every file of the project and its folders, with a slash at the end. */
function tree(): readonly string[] {
  const hidden = /^(node_modules|dist|\.git|out|site)(\/|$)/;
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !hidden.test(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? [
            `${entry.name}/`,
            ...readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true }).map((inner) => {
              const path = relative(root, join(inner.parentPath, inner.name));
              return inner.isDirectory() ? `${path}/` : path;
            }),
          ]
        : [entry.name],
    );
}

const paths = [...tree(), ...made];

/** Whether a path of a document is there, whole or from some folder on; a `*` stands for any part of a name. */
function isThere(path: string): boolean {
  const pattern = new RegExp(`(^|/)${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/?$`);
  return paths.some((each) => pattern.test(each));
}

describe('paths', () => {
  const withPaths = ['README.md', 'docs/model.md', 'docs/proofs.md', 'docs/interop.md'];

  it.each(['CONTRIBUTING.md', 'ARCHITECTURE.md', ...withPaths])('in %s are there', (path) => {
    expect(pathsIn(documentAt(path)).filter((each) => !isThere(each))).toEqual([]);
  });

  it('are where a newcomer asks for them', () => {
    expect(pathsIn(documentAt('CONTRIBUTING.md')).length).toBeGreaterThan(50);
  });

  it('that are not there would be found', () => {
    const text = 'in `reference/registry/nowhere.ts` and `spec/*.nothing`, but not `a b/c` nor `clock/advance {ms}`';
    expect(pathsIn({ path: 'x.md', text })).toEqual(['reference/registry/nowhere.ts', 'spec/*.nothing']);
    expect(['reference/registry/nowhere.ts', 'spec/*.nothing'].filter(isThere)).toEqual([]);
  });
});

describe('the documents', () => {
  it('name no placeholder of an owner', () => {
    const workflow = documentAt('examples/github-workflow.yml');
    expect([...all, workflow].filter(({ text }) => /\bOWNER\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['README.md', 120],
    ['ARCHITECTURE.md', 110],
  ])('%s is shorter than %d lines', (path, lines) => {
    expect(documentAt(path).text.split('\n').length).toBeLessThan(lines);
  });
});
