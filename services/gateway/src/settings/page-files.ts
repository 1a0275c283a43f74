import type { RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHost, type ProxyTrust } from '../middleware/client-origin';
import { withoutTrailing } from '@weft/service-kit/text';

/**
 * Nothing from other sites or other parts of this host, where webhooks may respond with scripts; nothing inline, and no
 * framing. A source with a path needs the host: that of the request, and the public one in case a proxy replaces it.
 */
const policyOf = ({ headers }: IncomingMessage, { publicUrl }: Pick<ProxyTrust, 'publicUrl'>): string => {
  const { host = '' } = headers;
  const origins = [...(isHost(host) ? [`http://${host}`, `https://${host}`] : []), withoutTrailing(publicUrl, '/')];
  const sources = origins.filter((origin) => origin !== '').map((origin) => `${origin}/settings/`);
  return [
    `default-src ${sources.length === 0 ? "'self'" : sources.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const GUARDS = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
};

const FILES = [
  { path: '/', files: ['index.html'], type: 'text/html; charset=utf-8' },
  { path: '/settings.js', files: ['settings.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/page.js', files: ['page.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/keys.js', files: ['keys.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/provider.js', files: ['provider.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/users.js', files: ['users.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/projects.js', files: ['projects.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/credentials.js', files: ['credentials.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/audit.js', files: ['audit.js'], type: 'text/javascript; charset=utf-8' },
  { path: '/settings.css', files: ['palette.css', 'settings.css'], type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', files: ['icon.svg'], type: 'image/svg+xml' },
] as const;

/** The files of the page, read once, by their path below /settings. */
export const readPageFiles = (
  folder: string,
  trust: Pick<ProxyTrust, 'publicUrl'>,
): ReadonlyMap<string, RequestHandler> =>
  new Map(
    FILES.map(({ path, files, type }) => {
      const content = Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
      const answer: RequestHandler = (request, response) => {
        response.setHeader('content-security-policy', policyOf(request, trust));
        for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value);
        response.writeHead(200, { 'content-type': type, 'content-length': content.length }).end(content);
      };
      return [path, answer];
    }),
  );
