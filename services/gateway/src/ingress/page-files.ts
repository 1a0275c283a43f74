import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';

const WEB = join(__dirname, '../../../web');
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** A file that pages load. Its path changes with its content, so it can be cached forever. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Joins files of the folder `web` into one. @param folder of its path, such as `form-files` */
export const pageFile = (folder: string, extension: keyof typeof TYPES, ...sources: readonly string[]): PageFile => {
  const content = Buffer.concat(sources.map((source) => readFileSync(join(WEB, source))));
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/${folder}/${name}.${extension}`, type: TYPES[extension], content };
};

/** Answers requests for these files, and with 404 for others. */
export const servePageFiles = (...files: readonly PageFile[]): RequestListener => {
  const byPath: ReadonlyMap<string | undefined, PageFile> = new Map(files.map((file) => [file.path, file]));
  return (request, response) => {
    const file = request.method === 'GET' || request.method === 'HEAD' ? byPath.get(request.url) : undefined;
    response.setHeader('x-content-type-options', 'nosniff');
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        'content-type': file.type,
        'content-length': file.content.length,
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .end(file.content);
  };
};

/** The directive of a policy for our style sheets, and for these styles of the page's author; empty: none. */
export const styleDirective = (css: string): string => {
  const inline = css === '' ? '' : ` 'sha256-${createHash('sha256').update(css).digest('base64')}'`;
  return `style-src 'self'${inline}`;
};

/** Writes a page that is never cached, and whose address is not passed to other sites. */
export const writeHtml = (
  response: ServerResponse,
  { status, policy, html }: { readonly status: number; readonly policy: readonly string[]; readonly html: string },
): void => {
  const content = Buffer.from(html);
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', content.length);
  response.writeHead(status).end(content);
};
