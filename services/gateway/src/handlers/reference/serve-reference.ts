import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { referencePages, searchPage } from '../../openapi/reference-page';
import { API_ROOT, DOCUMENT_PATH, ROUTES } from '../routes';

const STYLE_FILE = '/docs/docs.css';
const ICON_FILE = '/docs/icon.svg';
const SEARCH_PATH = '/docs/search';

/** No scripts, and nothing from other sites. */
const GUARDS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, no-cache',
};

interface Kept {
  readonly type: string;
  readonly body: Buffer;
  readonly tag: string;
}

const keep = (type: string, body: Buffer): Kept => ({
  type,
  body,
  tag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
});

const HTML = 'text/html; charset=utf-8';

/**
 * Serves the reference below /docs/: pages that are rendered when the process starts, and a search. It needs no script:
 * the search is a form.
 */
export const createReference = (webFolder: string): RequestListener => {
  const style = Buffer.concat(['palette.css', 'docs/docs.css'].map((file) => readFileSync(join(webFolder, file))));
  const options = { routes: ROUTES, root: API_ROOT, stylePath: STYLE_FILE, documentUrl: API_ROOT + DOCUMENT_PATH };
  const kept = new Map<string, Kept>([
    [STYLE_FILE, keep('text/css; charset=utf-8', style)],
    [ICON_FILE, keep('image/svg+xml', readFileSync(join(webFolder, 'icon.svg')))],
    ...[...referencePages(options)].map(([path, page]) => [path, keep(HTML, Buffer.from(page))] as const),
  ]);
  return (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const found = kept.get(path);
    if (!isRead) {
      response.writeHead(404, GUARDS).end();
    } else if (path === SEARCH_PATH) {
      const body = Buffer.from(searchPage(new URLSearchParams(query).get('q') ?? '', options));
      response
        .writeHead(200, { ...GUARDS, 'content-type': HTML, 'content-length': body.length })
        .end(request.method === 'HEAD' ? undefined : body);
    } else if (found === undefined && kept.has(`${path}/`)) {
      response.writeHead(302, { ...GUARDS, location: `${path}/` }).end();
    } else if (found === undefined) {
      response.writeHead(404, GUARDS).end();
    } else if (request.headers['if-none-match'] === found.tag) {
      response.writeHead(304, { ...GUARDS, etag: found.tag }).end();
    } else {
      const { type, body, tag } = found;
      response
        .writeHead(200, { ...GUARDS, etag: tag, 'content-type': type, 'content-length': body.length })
        .end(request.method === 'HEAD' ? undefined : body);
    }
  };
};
