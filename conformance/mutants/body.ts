/** Mistakes planted in the reading of bodies, paths and methods, whichever the endpoint. */
import type { Mutant } from './mutant.js';

const bodyHttp = 'reference/http/request/body';
const appHttp = 'reference/http/server/app';

export const bodyMutants: readonly Mutant[] = [
  {
    id: 'body/content-type-form',
    title: 'a form is accepted as a body',
    clause: 'convention.content-type',
    patch: {
      file: bodyHttp,
      before: "if (mediaType !== 'application/json')",
      after: "if (mediaType !== 'application/json' && mediaType !== 'application/x-www-form-urlencoded')",
    },
  },
  {
    id: 'body/content-type-any',
    title: 'a body of any Content-Type is accepted',
    clause: 'register-token.error.content-type-required',
    patch: { file: bodyHttp, before: "if (mediaType !== 'application/json')", after: "if (mediaType === 'none')" },
  },
  {
    id: 'body/content-type-text',
    title: 'a body that is text/plain is accepted',
    clause: 'register-token.error.content-type-required',
    patch: {
      file: bodyHttp,
      before: "if (mediaType !== 'application/json')",
      after: "if (mediaType !== 'application/json' && mediaType !== 'text/plain')",
    },
  },
  {
    id: 'body/paths-without-api',
    title: 'every path is served from the root too',
    clause: 'service.base-url',
    patch: {
      file: appHttp,
      before: "const path = pathOf(req.url ?? '');",
      after:
        "if (!(req.url ?? '').startsWith('/api/v1')) req.url = `/api/v1${req.url}`; const path = pathOf(req.url ?? '');",
    },
  },
  {
    id: 'body/paths-of-version-2',
    title: 'every path is of version 2',
    clause: 'register.route',
    patch: {
      file: appHttp,
      before: "const path = pathOf(req.url ?? '');",
      after:
        "req.url = (req.url ?? '').replace('/api/v1', '/api/v0').replace('/api/v2', '/api/v1'); const path = pathOf(req.url);",
    },
  },
  {
    id: 'body/paths-of-any-version',
    title: 'paths of version 1 are served without it',
    clause: 'versioning.path',
    patch: {
      file: appHttp,
      before: "const path = pathOf(req.url ?? '');",
      after:
        "if ((req.url ?? '').startsWith('/agent/') || (req.url ?? '').startsWith('/status/')) req.url = `/api/v1${req.url}`; const path = pathOf(req.url ?? '');",
    },
  },
];
