// npm run site [-- --out DIR --only CHECK]: writes the site, by default to site/: the documents, the pages that follow from data, the search. It works
// from a folder of files, needs no server, and has the same bytes each time. It plays the suite against the reference, which takes most of its time.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import MiniSearch from 'minisearch';
import { rolldown } from 'rolldown';
import { documentMarkup } from './site-markdown.mjs';
import { SEARCH } from './site-search-options.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { checksToRecord, mergedExchanges } = await import('../dist/runs/site/recorded.js');
const { registrySite } = await import('../dist/runs/registry/judge-registry.js');
const { siteFacts } = await import('../dist/runs/site/site-facts.js');
const { aroundRegistry, documentPage } = await import('../dist/reports/site/page.js');
const { searchEntries, sitePages } = await import('../dist/reports/site/site-pages.js');

/** The file by which a later build knows that a folder is its own, so that it may be emptied. */
const MARK = 'clauses.json';
/** A fixed number: by it follows which check is played beside which. */
const THREADS = 2;
const ABOUT_MAX = 120;

/** Documents of things that have pages of their own: the search finds those. */
const OF_THINGS = ['docs/clauses.md', 'docs/decisions.md', 'docs/errors.md'];

/** The documents of the repository, with their addresses; README.md is the front page. */
function documents() {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const paths = [...top, ...docs.map((name) => `docs/${name}`)].toSorted();
  return new Map(paths.map((path) => [path, path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html')]));
}

/** The table below a heading of a document. */
function tableOf(text, head) {
  const [, after = ''] = text.split(`\n## ${head}\n`);
  const [, table] = /((?:^\|.*\n)+)/m.exec(after) ?? [];
  if (table === undefined) throw new Error(`README.md has no table under ${head}`);
  return table;
}

/** All files of the site by their addresses, and the files of the repository that they link to. `only`: ids of checks to play; absent: all. */
export async function siteFiles(only) {
  const recording = record(only === undefined ? checksToRecord(THREADS) : [only]);
  const entriesOf = join(root, 'registry');
  const judged = existsSync(entriesOf) ? await registrySite(entriesOf, { around: aroundRegistry }) : undefined;
  if (judged?.registry.refused.length > 0) throw new Error(judged.registry.refused[0].problems.join('\n'));
  const facts = siteFacts(await recording, judged?.registry);
  const ofRegistry = Object.entries(judged?.files ?? {}).map(([path, text]) => [`registry/${path}`, text]);
  const files = new Map([...sitePages(facts), ...ofRegistry]);
  const entries = searchEntries(facts).map((entry) => ({ ...entry, about: entry.text.slice(0, ABOUT_MAX) }));
  const things = new Map(entries.filter(({ id }) => !id.includes('#')).map(({ id, name }) => [name, id]));
  const addresses = documents();
  const linked = new Set();
  const hrefOf = (path) => {
    const address = addresses.get(path);
    if (address !== undefined) return address;
    const file = path.replace(/\/$/, '');
    if (!existsSync(join(root, file))) throw new Error(`a document links to ${path}, which is not there`);
    linked.add(file);
    return statSync(join(root, file)).isDirectory() ? `${file}/index.html` : file;
  };
  const listed = [];
  const described = tableOf(readFileSync(join(root, 'README.md'), 'utf8'), 'Where to read on');
  for (const [path, address] of addresses) {
    const text = readFileSync(join(root, path), 'utf8');
    const { markup, title, sections } = documentMarkup(path, text, {
      address,
      hrefOf,
      thingOf: (id) => things.get(id),
    });
    files.set(
      address,
      documentPage(
        { address, title: [...new Set([title, 'aips-lab'])].join(' · '), about: `${title}: ${path}`, markup },
        facts,
      ),
    );
    for (const section of OF_THINGS.includes(path) ? sections.slice(0, 1) : sections) {
      const id = section.anchor === '' ? address : `${address}#${section.anchor}`;
      if (entries.some((entry) => entry.id === id)) continue;
      const about = section.text.slice(0, ABOUT_MAX);
      entries.push({
        id,
        kind: title === section.title ? 'document' : `in ${title}`,
        title: section.title,
        text: section.text,
        about,
      });
    }
    if (!described.includes(`](${path})`)) listed.push(`- [${title}](${path})`);
  }
  const list = `# Documents\n\n${described}\n\n${listed.join('\n')}\n`;
  const { markup } = documentMarkup('README.md', list, {
    address: 'docs/index.html',
    hrefOf,
    thingOf: () => undefined,
  });
  files.set(
    'docs/index.html',
    documentPage(
      { address: 'docs/index.html', title: 'Documents of aips-lab', about: 'Every document', markup },
      facts,
    ),
  );
  for (const folder of [...linked].filter((path) => statSync(join(root, path)).isDirectory())) {
    const names = readdirSync(join(root, folder), { recursive: true }).map(String).toSorted();
    const inside = names.filter((name) => statSync(join(root, folder, name)).isFile());
    const text = `# ${folder}\n\n${inside.map((name) => `- [${name}](${name})`).join('\n')}\n`;
    const page = documentMarkup(`${folder}/index.md`, text, {
      address: `${folder}/index.html`,
      hrefOf: (path) => path,
      thingOf: () => undefined,
    });
    files.set(
      `${folder}/index.html`,
      documentPage(
        { address: `${folder}/index.html`, title: folder, about: `Files of ${folder}`, markup: page.markup },
        facts,
      ),
    );
  }
  const index = new MiniSearch(SEARCH);
  index.addAll(entries);
  files.set('search-index.js', `window.SITE_INDEX=${JSON.stringify(index)}\n`);
  files.set('site.js', await script());
  return { files, linked };
}

async function record(parts) {
  const threads = parts.map(
    (ids) =>
      new Promise((done, failed) => {
        const worker = new Worker(new URL('site-recorder.mjs', import.meta.url), { workerData: ids });
        worker.once('message', done).once('error', failed);
      }),
  );
  return mergedExchanges(await Promise.all(threads));
}

async function script() {
  const bundle = await rolldown({ input: join(root, 'build/site-script.mjs'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  return `/* MiniSearch (c) 2022 Luca Ongaro: MIT */${output[0].code}`;
}

/** Writes the site into a folder, which is empty or holds an older site. */
export async function writeSite(out, only) {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, MARK)))
    throw new Error(`${out} is not empty and holds no site: give another folder by --out`);
  const { files, linked } = await siteFiles(only);
  rmSync(out, { recursive: true, force: true });
  let bytes = 0;
  for (const path of linked) cpSync(join(root, path), join(out, path), { recursive: true });
  for (const [address, text] of files) {
    mkdirSync(dirname(join(out, address)), { recursive: true });
    writeFileSync(join(out, address), text);
    bytes += Buffer.byteLength(text);
  }
  return { pages: [...files.keys()].filter((address) => address.endsWith('.html')).length, bytes, files };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'site' }, only: { type: 'string', multiple: true } },
  });
  const { pages, bytes, files } = await writeSite(values.out, values.only);
  const index = Buffer.byteLength(files.get('search-index.js'));
  console.log(
    `${values.out}: ${pages} pages, ${(bytes / 1e6).toFixed(1)} MB, of which the index of the search has ${(index / 1e6).toFixed(1)} MB`,
  );
}
