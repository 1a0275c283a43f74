import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

const WEB = join(__dirname, '../../../../web');
const STYLE = Buffer.concat(['palette.css', 'form/form.css'].map((file) => readFileSync(join(WEB, file))));

/** Where the style of all forms lies. The name changes with the content, so that it can be kept for good. */
export const STYLE_PATH = `/form-files/${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`;

/** Answers requests below /form-files. */
export const serveFormFiles: RequestListener = (request, response) => {
  const isKnown = request.url === STYLE_PATH && (request.method === 'GET' || request.method === 'HEAD');
  response.setHeader('x-content-type-options', 'nosniff');
  if (!isKnown) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, {
      'content-type': 'text/css; charset=utf-8',
      'content-length': STYLE.length,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    .end(STYLE);
};
