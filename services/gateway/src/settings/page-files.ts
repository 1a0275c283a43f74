import type { RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Nothing from other sites, nothing inline, and no framing. */
const GUARDS = {
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
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
export const readPageFiles = (folder: string): ReadonlyMap<string, RequestHandler> =>
  new Map(
    FILES.map(({ path, files, type }) => {
      const content = Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
      const answer: RequestHandler = (_request, response) => {
        for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value);
        response.writeHead(200, { 'content-type': type, 'content-length': content.length }).end(content);
      };
      return [path, answer];
    }),
  );
