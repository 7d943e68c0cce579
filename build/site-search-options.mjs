// How the search of the site reads and keeps its entries: the build makes the index, and the page's script loads it, by the same options.
export const SEARCH = { fields: ['title', 'text'], storeFields: ['kind', 'name', 'title', 'about'] };
