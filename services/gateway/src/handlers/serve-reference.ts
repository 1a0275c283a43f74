import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { referencePage } from '../openapi/reference-page';
import { API_ROOT, DOCUMENT_PATH, ROUTES } from './routes';

const STYLE_FILE = '/docs/docs.css';

/** No scripts, and nothing from other sites. */
const GUARDS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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

/** Serves the reference page at /docs/, which is rendered when the process starts. */
export const createReference = (webFolder: string): RequestListener => {
  const style = Buffer.concat(['palette.css', 'docs/docs.css'].map((file) => readFileSync(join(webFolder, file))));
  const page = referencePage(ROUTES, API_ROOT, STYLE_FILE, API_ROOT + DOCUMENT_PATH);
  const kept = new Map([
    ['/docs/', keep('text/html; charset=utf-8', Buffer.from(page))],
    [STYLE_FILE, keep('text/css; charset=utf-8', style)],
  ]);
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const found = request.method === 'GET' || request.method === 'HEAD' ? kept.get(path) : undefined;
    if (path === '/docs') {
      response.writeHead(302, { location: '/docs/' }).end();
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
