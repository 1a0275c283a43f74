import type { ServerResponse } from 'node:http';
import { pageFile, servePageFiles, styleDirective, writeHtml } from '../page-files';
import { escapeHtml } from './safe-html';

const STYLE = pageFile('form-files', 'css', 'palette.css', 'form/form.css');

/** Answers requests below /form-files. */
export const serveFormFiles = servePageFiles(STYLE);

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

const policyOf = (css: string, isGuarded: boolean): readonly string[] => [
  "default-src 'none'",
  styleDirective(css),
  "img-src 'self' https: http: data:",
  'media-src https: http:',
  "form-action 'self'",
  "base-uri 'none'",
  ...(isGuarded ? ["frame-ancestors 'none'"] : []),
];

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
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${refresh}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE.path}">${style === '' ? '' : `\n<style>${style}</style>`}
</head>
<body>
<main class="card">
${body}
</main>
</body>
</html>
`;
  writeHtml(response, { status, policy: policyOf(style, isGuarded), html });
};
