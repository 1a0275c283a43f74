import { messageOf } from '@weft/service-kit/errors';
import { field, textField } from '@weft/service-kit/json';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { choosesCoding, type Coding } from '../http/accept-encoding';
import { CONSOLE_PATH } from './session';

/** A file of the console with its compressed forms, in memory. */
interface ConsoleFile {
  readonly type: string;
  readonly tag: string;
  readonly content: Buffer;
  readonly coded: Readonly<Record<Coding, Buffer>>;
}

/** The built console. */
export interface ConsoleFiles {
  /** Identifies the build; pages compare it with theirs. */
  readonly build: string;
  readonly serve: RequestListener;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types weft-worker',
].join('; ');

const GUARDS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'Accept-Encoding',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';
const INDEX = 'index.html';

interface Manifest {
  readonly build: string;
  readonly files: readonly { readonly name: string; readonly type: string }[];
}

/** The build with the names and types of its files. @throws Error if the file is not a manifest */
const readManifest = (path: string): Manifest => {
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const build = textField(manifest, 'build');
  const rows = field(manifest, 'files');
  if (build === undefined || !Array.isArray(rows)) throw new Error('manifest.json is not a manifest');
  const files = rows.map((row) => {
    const [name, type] = [textField(row, 'name'), textField(row, 'type')];
    if (name === undefined || type === undefined) throw new Error('manifest.json has a file without name or type');
    return { name, type };
  });
  if (!files.some(({ name }) => name === INDEX)) throw new Error(`manifest.json lacks ${INDEX}`);
  return { build, files };
};

const readFile = (folder: string, name: string, type: string): ConsoleFile => {
  const content = readFileSync(join(folder, name));
  return {
    type,
    tag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
    content,
    coded: { br: readFileSync(join(folder, `${name}.br`)), gzip: readFileSync(join(folder, `${name}.gz`)) },
  };
};

const send = (request: IncomingMessage, response: ServerResponse, file: ConsoleFile, lifetime: string): void => {
  const headers = { ...GUARDS, etag: file.tag, 'cache-control': lifetime };
  if (request.headers['if-none-match']?.includes(file.tag) === true) {
    response.writeHead(304, headers).end();
    return;
  }
  const coding = choosesCoding(request.headers['accept-encoding']);
  const body = coding === undefined ? file.content : file.coded[coding];
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': body.length,
    ...(coding === undefined ? {} : { 'content-encoding': coding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};

const refuse = (response: ServerResponse, status: 404 | 405): void => {
  response.writeHead(status, { ...GUARDS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(status === 404 ? 'Not found' : 'Method not allowed');
};

/** Path of the manifest of the built console. @throws Error if it does not exist */
const findManifest = (): string => require.resolve('@weft/console/dist/app/manifest.json');

/**
 * Reads the files of the console once. The names of assets contain a hash of their content, so browsers keep them;
 * every path without a dot is the page, which chooses the screen.
 * @throws Error if the console was not built
 */
export const readConsoleFiles = (manifestPath?: string): ConsoleFiles => {
  try {
    const path = manifestPath ?? findManifest();
    const { build, files } = readManifest(path);
    const byName = new Map(files.map(({ name, type }) => [name, readFile(dirname(path), name, type)]));
    return { build, serve: serveFrom(byName) };
  } catch (error) {
    throw new Error(
      `The console is not built (${messageOf(error)}). Run \`npm run build\`, or set CONSOLE=off to serve none.`,
      { cause: error },
    );
  }
};

const serveFrom =
  (files: ReadonlyMap<string, ConsoleFile>): RequestListener =>
  (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === CONSOLE_PATH) {
      response.writeHead(302, { ...GUARDS, location: `${CONSOLE_PATH}/`, 'content-length': 0 }).end();
      return;
    }
    const name = path.slice(CONSOLE_PATH.length + 1);
    const found = files.get(name.includes('.') ? name : INDEX);
    if (found === undefined) return refuse(response, 404);
    send(request, response, found, name.startsWith('assets/') ? IMMUTABLE : 'no-cache');
  };
