import type { JsonObject } from '@weft/node-catalogue';
import type { QueryBounds, RemoteBounds } from '@weft/outbound';
import { imapServerOf } from '../email-read-imap/imap-server';
import { mailServerOf } from '../email-send/mail-server';
import { ftpServerOf } from '../ftp/executor';
import { mongoServerOf } from '../mongo-db/session';
import { mysqlServerOf } from '../my-sql/session';
import { postgresServerOf } from '../postgres/session';
import { redisServerOf } from '../redis/executor';
import { sshServerOf } from '../shared/remote/session';
import type { TestPorts } from './test-credential';

/** Connects, logs in and sends a read-only request. Rejects with the error of the server or the network. */
type Login = (ports: TestPorts, data: JsonObject, signal: AbortSignal) => Promise<void>;

const STEP_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** Size limits for a server that never stops sending; the time limit is that of the whole test. */
const QUERY_BOUNDS: QueryBounds = { connectMs: STEP_MS, queryMs: STEP_MS, maxRows: 100, maxBytes: MAX_BYTES };
const REMOTE_BOUNDS: RemoteBounds = {
  ...{ connectMs: STEP_MS, stepMs: STEP_MS, silenceMs: STEP_MS },
  ...{ maxBytes: MAX_BYTES, maxEntries: 100 },
};

const SELECT = { text: 'SELECT 1', values: [] };

interface Session {
  close(): void;
}

const asking = async <Opened extends Session>(
  opening: Promise<Opened>,
  ask: (session: Opened) => Promise<unknown>,
): Promise<void> => {
  const session = await opening;
  try {
    await ask(session);
  } finally {
    session.close();
  }
};

const ssh =
  (type: string): Login =>
  (ports, data, signal) =>
    ports.remote.ssh(sshServerOf(type, data), REMOTE_BOUNDS, signal, () => Promise.resolve());

/** Login tests by credential type. */
export const LOGINS: ReadonlyMap<string, Login> = new Map<string, Login>([
  [
    'postgres',
    ({ databases }, data, signal) => {
      const options = { datesAsText: true, largeNumbers: false };
      return asking(databases.postgres(postgresServerOf(data), options, QUERY_BOUNDS, signal), (session) =>
        session.run(SELECT),
      );
    },
  ],
  [
    'mySql',
    ({ databases }, data, signal) => {
      const options = { datesAsText: true, largeNumbersAsText: true, decimalNumbers: false };
      return asking(databases.mysql(mysqlServerOf(data), options, QUERY_BOUNDS, signal), (session) =>
        session.run(SELECT),
      );
    },
  ],
  [
    'mongoDb',
    ({ databases }, data, signal) =>
      asking(databases.mongo(mongoServerOf(data), QUERY_BOUNDS, signal), () => Promise.resolve()),
  ],
  [
    'redis',
    ({ databases }, data, signal) =>
      asking(databases.redis(redisServerOf(data), QUERY_BOUNDS, signal), (session) => session.command('PING')),
  ],
  ['smtp', ({ checkMail }, data, signal) => checkMail(mailServerOf(data, false), signal)],
  [
    'imap',
    ({ remote }, data, signal) => remote.mailbox(imapServerOf(data, false), 'INBOX', signal, () => Promise.resolve()),
  ],
  ['sshPassword', ssh('sshPassword')],
  ['sshPrivateKey', ssh('sshPrivateKey')],
  ['sftp', ssh('sftp')],
  ['ftp', ({ remote }, data, signal) => remote.ftp(ftpServerOf(data), REMOTE_BOUNDS, signal, () => Promise.resolve())],
]);
