import type { ChatPage } from '@weft/proto/channels';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { safeCss } from '../forms/page-shell';
import { escapeHtml } from '../forms/safe-html';

const WEB = join(__dirname, '../../../../web');
const read = (...files: readonly string[]): Buffer => Buffer.concat(files.map((file) => readFileSync(join(WEB, file))));
const nameOf = (content: Buffer, extension: string): string =>
  `/chat-files/${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${extension}`;

const STYLE = read('palette.css', 'chat/chat.css');
const SCRIPT = read('chat/chat.js');
const STYLE_PATH = nameOf(STYLE, 'css');
const SCRIPT_PATH = nameOf(SCRIPT, 'js');

/** Files of all chat pages. Their names change with their content, so they can be cached forever. */
const FILES: ReadonlyMap<string | undefined, { readonly type: string; readonly content: Buffer }> = new Map([
  [STYLE_PATH, { type: 'text/css; charset=utf-8', content: STYLE }],
  [SCRIPT_PATH, { type: 'text/javascript; charset=utf-8', content: SCRIPT }],
]);

/** Answers requests below /chat-files. */
export const serveChatFiles: RequestListener = (request, response) => {
  const file = request.method === 'GET' || request.method === 'HEAD' ? FILES.get(request.url) : undefined;
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

const policy = (css: string, isGuarded: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${css === '' ? '' : ` 'sha256-${createHash('sha256').update(css).digest('base64')}'`}`,
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "form-action 'none'",
    "base-uri 'none'",
    ...(isGuarded ? ["frame-ancestors 'none'"] : []),
  ].join('; ');

/**
 * Writes the page of a chat. Only our script runs in it; what its author wrote cannot.
 * @param isGuarded callers authenticate, so no other site may frame the page
 */
export const writeChatPage = (response: ServerResponse, page: ChatPage, isGuarded: boolean): void => {
  const { title, subtitle, initialMessages, placeholder, takesFiles, loadsSession } = page;
  const css = safeCss(page.css);
  const config = JSON.stringify({ initialMessages, loadsSession, isGuarded });
  const html = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">${css === '' ? '' : `\n<style>${css}</style>`}
<script defer src="${SCRIPT_PATH}"></script>
</head>
<body>
<main id="chat" data-config="${escapeHtml(config)}">
<header>
<div><h1>${escapeHtml(title)}</h1>${subtitle === '' ? '' : `<p>${escapeHtml(subtitle)}</p>`}</div>
<button type="button" class="new">New conversation</button>
</header>
<div role="log" aria-live="polite" aria-label="Conversation" tabindex="0"></div>
<form>
<textarea name="message" rows="1" aria-label="Message" placeholder="${escapeHtml(placeholder)}"></textarea>
<button type="submit">Send</button>
${takesFiles ? '<input type="file" multiple aria-label="Files">' : ''}
</form>
</main>
</body>
</html>
`);
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(css, isGuarded),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', html.length);
  response.writeHead(200).end(html);
};
