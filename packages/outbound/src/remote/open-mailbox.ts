import { createRequire } from 'node:module';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type * as Imap from 'imapflow';
import type { ImapFlow, ImapFlowOptions, MailboxObject } from 'imapflow';
import { type Deadline, startDeadline } from '../http/deadline';
import { MAIL_BOUNDS, type MailBounds } from '../mail/mail-bounds';
import { OutboundError } from '../http/outbound-http';
import { type Mailbox, MAX_MAIL_BYTES, type MailboxServer } from './mailbox';
import { searchUids } from './search-mailbox';
import { RemoteFailed, remoteFailure, saidBy } from './remote-failure';

/** Opens sockets past the address guard. */
export type OpenSocket = (host: string, port: number, signal: AbortSignal) => Promise<Socket>;

// loaded with the first mailbox: the library has many modules, and few runners need it
const loadLate = createRequire(__filename);

const MIB = 1024 * 1024;
/** Codes of the library for responses beyond its limits. */
const TOO_MUCH = /^(Line|Literal|Response)TooLarge$|^TooManyTokens$/;

/**
 * Logs in, opens a mailbox and gives it to `use`; the connection ends with that, with the time limit, or with the
 * signal.
 * @throws RemoteFailed, OutboundError, and what `use` throws
 */
export async function withMailbox<Result>(
  openSocket: OpenSocket,
  server: MailboxServer,
  name: string,
  signal: AbortSignal,
  use: (mailbox: Mailbox) => Promise<Result>,
  bounds: MailBounds = MAIL_BOUNDS,
): Promise<Result> {
  const deadline = startDeadline(bounds.totalMs, signal);
  let broken: unknown;
  const silence = (error: unknown): OutboundError | undefined => silenceOf(error, server.host, bounds);
  const ask = asking(server.host, deadline, (error) => silence(error) ?? silence(broken));
  let client: ImapFlow | undefined;
  try {
    const socket = await ask(() => openSocket(server.host, server.port, deadline.signal));
    // When aborted, it emits its error after the client removed its listeners; an unhandled error ends the process.
    socket.on('error', () => undefined);
    const { ImapFlow: Client }: typeof Imap = loadLate('imapflow');
    const opened = new Client(optionsFor(server, socket, bounds));
    client = opened;
    // Every command of a broken connection fails on its own, but only this event has the cause.
    opened.on('error', (error) => (broken ??= error));
    deadline.signal.addEventListener('abort', () => opened.close(), { once: true });
    await ask(() => opened.connect());
    const opening = await ask(() => opened.mailboxOpen(name));
    return await use(mailboxOf(opened, opening, ask));
  } finally {
    client?.close();
    deadline.end();
  }
}

type Ask = <Result>(command: () => Promise<Result>) => Promise<Result>;

/** Rewords failures of commands. */
const asking =
  (host: string, deadline: Deadline, silence: (error: unknown) => OutboundError | undefined): Ask =>
  async (command) => {
    try {
      return await command();
    } catch (error) {
      throw deadline.reason() ?? silence(error) ?? refusalOf(error, host) ?? remoteFailure(error, host, deadline);
    }
  };

/** Time limit of the library for the upgrade to TLS, which cannot be configured. */
const UPGRADE_MS = 10_000;

/** The time limit that has passed, undefined if none has. */
function silenceOf(error: unknown, host: string, bounds: MailBounds): OutboundError | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const failure = (what: string, ms: number): OutboundError =>
    new OutboundError('TIMEOUT', `The mail server ${what} ${ms} ms (host "${host}").`, 'ETIMEDOUT');
  switch (code) {
    case 'GREETING_TIMEOUT':
      return failure('sent no greeting within', bounds.greetingMs);
    case 'CONNECT_TIMEOUT':
      return failure('did not complete TLS within', bounds.greetingMs);
    case 'UPGRADE_TIMEOUT':
      return failure('did not complete TLS within', UPGRADE_MS);
    case 'ETIMEOUT':
      return failure('was silent for', bounds.silenceMs);
    default:
      return undefined;
  }
}

/** The server's own refusal; undefined if the connection failed. */
function refusalOf(error: unknown, host: string): RemoteFailed | undefined {
  if (!(error instanceof Error)) return undefined;
  const [response, code]: readonly unknown[] = ['responseText', 'code'].map((name) => Reflect.get(error, name));
  if (typeof code === 'string' && TOO_MUCH.test(code))
    return new RemoteFailed(`The mail server sent more than may be read (host "${host}").`, 'limit', undefined, error);
  const said = saidBy(response);
  if (Reflect.get(error, 'authenticationFailed') === true)
    return new RemoteFailed(`The mail server refused the login (host "${host}"${said}).`, 'login', undefined, error);
  if (said === '') return undefined;
  return new RemoteFailed(`The mail server refused a command (host "${host}"${said}).`, 'server', undefined, error);
}

function mailboxOf(client: ImapFlow, { uidValidity, uidNext }: MailboxObject, ask: Ask): Mailbox {
  return {
    uidValidity: uidValidity.toString(),
    uidNext,
    search: (conditions, fromUid) => ask(() => searchUids(client, conditions, fromUid)),
    sizes: async (uids) => {
      if (uids.length === 0) return new Map();
      const found = await ask(() => client.fetchAll(uids.join(','), { uid: true, size: true }, { uid: true }));
      return new Map(found.map(({ uid, size = 0 }) => [uid, size]));
    },
    read: async (uid, part) => {
      const query = part === 'source' ? { uid: true, source: true } : { uid: true, bodyParts: ['text'] };
      const found = await ask(() => client.fetchOne(String(uid), query, { uid: true }));
      if (found === false) return undefined;
      return part === 'source' ? found.source : found.bodyParts?.get('text');
    },
    markSeen: async (uids) => {
      if (uids.length === 0) return;
      await ask(() => client.messageFlagsAdd(uids.join(','), ['\\Seen'], { uid: true }));
    },
  };
}

function optionsFor(server: MailboxServer, socket: Socket, { greetingMs, silenceMs }: MailBounds): ImapFlowOptions {
  const { host, port, secure, user, password, allowUnauthorizedCerts } = server;
  const secured = (onSecure: () => void): TLSSocket =>
    connectTls(
      {
        socket,
        rejectUnauthorized: !allowUnauthorizedCerts,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      },
      onSecure,
    ).on('error', () => undefined);
  return {
    host,
    port,
    secure,
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    maxLineLength: 4 * MIB,
    maxLiteralSize: MAX_MAIL_BYTES + MIB,
    maxResponseSize: MAX_MAIL_BYTES + 8 * MIB,
    maxResponseTokens: 200_000,
    transport: {
      connect: (_options, onConnect) => {
        if (secure) return secured(onConnect);
        setImmediate(onConnect);
        return socket;
      },
      upgrade: (_socket, _options, onSecure) => secured(onSecure),
    },
  };
}
