// The script of every page of the site, bundled with MiniSearch: the search of find/ and the redirects of go/. The index is a script of its
// own, since a page of a folder of files may read no other file.
import MiniSearch from 'minisearch';
import { SEARCH } from './site-search-options.mjs';

const root = document.body.dataset.root;
const field = document.getElementById('find');
const list = document.getElementById('found');
const SHOWN_MAX = 30;

const load = () =>
  new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.onload = () => done(MiniSearch.loadJS(window.SITE_INDEX, SEARCH));
    script.onerror = () => failed(new Error('search-index.js is not there'));
    document.head.append(script);
  });

/** Ids are compared without case and without zeros before a number: d-9 and d9 are D-09. */
const plain = (id) =>
  id
    .toLowerCase()
    .replace(/^d(?=\d)/, 'd-')
    .replaceAll(/\b0+(?=\d)/g, '');

/** The found entries, those whose id is the text first. */
function find(index, text) {
  const found = index.search(text, { prefix: true, fuzzy: 0.1, combineWith: 'AND', boost: { title: 3 } });
  const { documentIds, storedFields } = window.SITE_INDEX;
  const exact = Object.entries(storedFields).filter(
    ([, { name }]) => name !== undefined && plain(name) === plain(text),
  );
  const first = exact.map(([at, fields]) => ({ ...fields, id: documentIds[at] }));
  return [...first, ...found.filter(({ id }) => first.every((each) => each.id !== id))];
}

function show(found, status) {
  const items = found.slice(0, SHOWN_MAX).map(({ id, kind, title, about }) => {
    const [item, link] = [document.createElement('li'), document.createElement('a')];
    link.href = root + id;
    link.textContent = title;
    item.append(link, ` ${kind}${about === '' ? '' : `: ${about}`}`);
    return item;
  });
  // Where nothing is found, the lists of the navigation lead on.
  const lists = [...document.querySelectorAll('header nav li')].map((item) => item.cloneNode(true));
  list.replaceChildren(...(found.length === 0 ? lists : items));
  status.textContent =
    found.length === 0
      ? 'Nothing found. Each of these lists all of its kind:'
      : `${found.length} found${found.length > SHOWN_MAX ? `, the first ${SHOWN_MAX} of them:` : ':'}`;
}

async function searchPage(status) {
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  const index = await load();
  const update = () => {
    if (field.value.trim() !== '') show(find(index, field.value.trim()), status);
  };
  field.addEventListener('input', update);
  update();
}

/** A part of an address as it was written; one that is badly escaped stays as it is, and names nothing. */
function written(part) {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

async function goPage(status) {
  const id = written(location.search.slice(1)).replace(/=$/, '');
  if (id === '') return;
  const found = find(await load(), id);
  const [first] = found;
  if (first?.name !== undefined && plain(first.name) === plain(id)) location.replace(root + first.id);
  else show(found, status);
}

const [count, target] = ['found-count', 'go-status'].map((id) => document.getElementById(id));
if (count !== null) searchPage(count);
if (target !== null) goPage(target);
