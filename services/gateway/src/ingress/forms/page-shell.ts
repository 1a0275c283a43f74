import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { escapeHtml } from './safe-html';

const WEB = join(__dirname, '../../../../web');
const STYLE = Buffer.concat(['palette.css', 'form/form.css'].map((file) => readFileSync(join(WEB, file))));

/** Path of the style sheet of all forms. Its name changes with the content, so it can be cached forever. */
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

/** A page before it is put into its frame. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  /** HTML; everything in it is escaped or cleaned. */
  readonly body: string;
  /** Styles of the form's author. */
  readonly css?: string;
  /** The page requests this address after that many seconds. */
  readonly next?: { readonly url: string; readonly seconds: number };
  /** The page acts with the permissions of the signed-in user, so no other site may frame it. */
  readonly isGuarded?: boolean;
}

const MAX_CSS = 50_000;

/** Styles cannot close their element early, whatever they contain. */
export const safeCss = (css: string): string => css.slice(0, MAX_CSS).replace(/<(?=[/!?a-z])/gi, '\\3c ');

const policy = (css: string, isGuarded: boolean): string => {
  const style = css === '' ? "'self'" : `'self' 'sha256-${createHash('sha256').update(css).digest('base64')}'`;
  const parts = [
    "default-src 'none'",
    `style-src ${style}`,
    "img-src 'self' https: http: data:",
    'media-src https: http:',
    "form-action 'self'",
    "base-uri 'none'",
    ...(isGuarded ? ["frame-ancestors 'none'"] : []),
  ];
  return parts.join('; ');
};

/** Writes a page. Nothing in it can run, it is never cached, and its address is not passed to other sites. */
export const writePage = (
  response: ServerResponse,
  { status = 200, title, body, css = '', next, isGuarded = false }: Page,
): void => {
  if (response.headersSent || response.destroyed) return;
  const style = safeCss(css);
  const refresh =
    next === undefined
      ? ''
      : `\n<meta http-equiv="refresh" content="${Math.round(next.seconds)}; url=${escapeHtml(next.url)}">`;
  const html = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${refresh}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">${style === '' ? '' : `\n<style>${style}</style>`}
</head>
<body>
<main class="card">
${body}
</main>
</body>
</html>
`);
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(style, isGuarded),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', html.length);
  response.writeHead(status).end(html);
};
