import { makeCertificate } from '@weft/local-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The hook of a bot, as it was registered last. */
export interface RegisteredHook {
  readonly url: string;
  readonly secret: string;
}

/** A request of the Bot API. */
export interface TelegramRequest {
  readonly bot: string;
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers a request in place of Telegram; undefined: Telegram answers. It may answer later, or never. */
export type Hostility = (request: TelegramRequest, response: ServerResponse) => Promise<boolean> | boolean;

/** A stand-in of Telegram, which runners reach as a proxy. Each bot has at most one hook. */
export interface Telegram {
  /** Variables of a runner that reaches the stand-in under Telegram's name. */
  readonly runner: Readonly<Record<string, string>>;
  readonly hooks: ReadonlyMap<string, RegisteredHook>;
  readonly requests: readonly TelegramRequest[];
  /** Bots whose token Telegram does not know. */
  readonly unknown: Set<string>;
  /** Called for each request before Telegram answers it. */
  hostility: Hostility;
  /** Called when a bot has got a hook, before the response. */
  onRegistered: (bot: string) => Promise<void>;
  /** Sends an update to the hook of a bot. @param secret in place of the registered one */
  readonly send: (bot: string, update: object, secret?: string) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

const HOST = 'api.telegram.org';

const readJson = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const text = Buffer.concat(parts).toString();
  return text === '' ? {} : JSON.parse(text);
};

const write = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Starts the stand-in. */
export const startTelegram = async (): Promise<Telegram> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-telegram-'));
  const { key, certificate, authorityFile } = makeCertificate(folder, [HOST]);
  const hooks = new Map<string, RegisteredHook>();
  const requests: TelegramRequest[] = [];
  const sockets = new Set<Socket>();

  const answer = async ({ bot, method, body }: TelegramRequest, response: ServerResponse): Promise<void> => {
    if (telegram.unknown.has(bot))
      return write(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    switch (method) {
      case 'setWebhook':
        hooks.set(bot, { url: String(body['url']), secret: String(body['secret_token']) });
        await telegram.onRegistered(bot);
        return write(response, 200, { ok: true, result: true });
      case 'deleteWebhook':
        hooks.delete(bot);
        return write(response, 200, { ok: true, result: true });
      case 'getWebhookInfo':
        return write(response, 200, { ok: true, result: { url: hooks.get(bot)?.url ?? '' } });
      default:
        return write(response, 404, { ok: false, description: 'Not Found' });
    }
  };
  const https = createTlsServer({ key, cert: certificate }, (request, response) => {
    void (async () => {
      const [, bot = '', method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
      const one = { bot, method, body: await readJson(request) };
      requests.push(one);
      if (!(await telegram.hostility(one, response))) await answer(one, response);
    })().catch(() => response.destroy());
  });
  const proxy = createServer();
  proxy.on('connect', (request, socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (request.url !== `${HOST}:443`) return void socket.end('HTTP/1.1 502 No\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    https.emit('connection', socket);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = Object(proxy.address());
  const telegram: Telegram = {
    runner: {
      OUTBOUND_PROXY: `http://127.0.0.1:${port}`,
      OUTBOUND_PROXY_RESOLVES: 'on',
      OUTBOUND_ALLOW: '',
      NODE_EXTRA_CA_CERTS: authorityFile,
    },
    hooks,
    requests,
    unknown: new Set(),
    hostility: () => false,
    onRegistered: () => Promise.resolve(),
    send: async (bot, update, secret) => {
      const hook = hooks.get(bot);
      if (hook === undefined) throw new Error(`The bot ${bot} has no hook.`);
      return fetch(hook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret ?? hook.secret },
        body: JSON.stringify(update),
      });
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return telegram;
};
