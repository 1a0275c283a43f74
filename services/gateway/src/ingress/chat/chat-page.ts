import type { ChatPage } from '@weft/proto/channels';
import type { ServerResponse } from 'node:http';
import { safeCss } from '../forms/page-shell';
import { escapeHtml } from '../forms/safe-html';
import { pageFile, servePageFiles, styleDirective, writeHtml } from '../page-files';

const STYLE = pageFile('chat-files', 'css', 'palette.css', 'chat/chat.css');
const SCRIPT = pageFile(
  'chat-files',
  'js',
  'chat/page.js',
  'chat/show.js',
  'chat/stream.js',
  'chat/run.js',
  'chat/chat.js',
);

/** Characters that can be typed: a browser becomes slow with more. */
const MAX_MESSAGE = 100_000;

/** Answers requests below /chat-files. */
export const serveChatFiles = servePageFiles(STYLE, SCRIPT);

const policyOf = (css: string, isGuarded: boolean): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  styleDirective(css),
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "form-action 'none'",
  "base-uri 'none'",
  ...(isGuarded ? ["frame-ancestors 'none'"] : []),
];

/** Facts about the address of a chat. */
export interface ChatAddress {
  /** Callers authenticate, so no other site may frame the page. */
  readonly isGuarded: boolean;
  /** Messages are answered with lines of JSON. */
  readonly streams: boolean;
}

/** Writes the page of a chat. Only our script runs in it; what its author wrote cannot. */
export const writeChatPage = (response: ServerResponse, page: ChatPage, { isGuarded, streams }: ChatAddress): void => {
  const { title, subtitle, initialMessages, placeholder, takesFiles, loadsSession } = page;
  const css = safeCss(page.css);
  const config = JSON.stringify({ initialMessages, loadsSession, isGuarded, streams });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE.path}">${css === '' ? '' : `\n<style>${css}</style>`}
<script defer src="${SCRIPT.path}"></script>
</head>
<body>
<main id="chat" data-config="${escapeHtml(config)}">
<header>
<div><h1>${escapeHtml(title)}</h1>${subtitle === '' ? '' : `<p>${escapeHtml(subtitle)}</p>`}</div>
<button type="button" class="new">New conversation</button>
</header>
<div role="log" aria-live="polite" aria-label="Conversation" tabindex="0"></div>
<form>
<textarea name="message" rows="1" maxlength="${MAX_MESSAGE}" aria-label="Message"
 placeholder="${escapeHtml(placeholder)}"></textarea>
<button type="submit">Send</button>
${takesFiles ? '<input type="file" multiple aria-label="Files">' : ''}
</form>
</main>
</body>
</html>
`;
  writeHtml(response, { status: 200, policy: policyOf(css, isGuarded), html });
};
