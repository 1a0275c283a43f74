import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  createDatabases,
  createOutboundClient,
  DatabaseFailed,
  type MongoSession,
  OutboundError,
  OutboundRefused,
  QueryTooLarge,
  type RedisSession,
  type SqlSession,
} from '@weft/outbound';
import { BSON } from 'mongodb';
import { closeAfterEach } from '@weft/service-kit/testing';
import { type DatabaseServer, describeWith, localDatabases, WIDE } from './support/servers';

const never = new AbortController().signal;

/** Opens each kind of server, with its login or another one. */
interface Kind {
  readonly variable: string;
  /** Opens a session and runs the simplest operation. */
  readonly use: (at: Address, over?: Partial<typeof WIDE>, signal?: AbortSignal) => Promise<unknown>;
}
interface Address {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

const later = closeAfterEach();
const openClients = (ports: readonly number[]) => later(localDatabases(ports), (clients) => clients.close()).databases;

const KINDS: Readonly<Record<string, Kind>> = {
  postgres: {
    variable: 'TEST_POSTGRES_URL',
    use: async (at, over, signal = never) => {
      const server = { ...at, user: 'weft', database: 'postgres' };
      const options = { datesAsText: true, largeNumbers: true };
      const session = await openClients([at.port]).postgres(server, options, { ...WIDE, ...over }, signal);
      const results = await session.run(ONE);
      session.close();
      return results;
    },
  },
  mySql: {
    variable: 'TEST_MYSQL_URL',
    use: async (at, over, signal = never) => {
      const server = { ...at, user: 'weft', database: 'weft' };
      const session = await openClients([at.port]).mysql(server, MYSQL_OPTIONS, { ...WIDE, ...over }, signal);
      const results = await session.run(ONE);
      session.close();
      return results;
    },
  },
  mongoDb: {
    variable: 'TEST_MONGODB_URL',
    use: async (at, over, signal = never) => {
      const url = `mongodb://weft:${at.password}@${at.host}:${at.port}`;
      const session = await openClients([at.port]).mongo({ url, database: 'weft' }, { ...WIDE, ...over }, signal);
      const documents = await session.find('none', FIND);
      session.close();
      return documents;
    },
  },
  redis: {
    variable: 'TEST_REDIS_URL',
    use: async (at, over, signal = never) => {
      const server = { ...at, user: '', database: 1 };
      const session = await openClients([at.port]).redis(server, { ...WIDE, ...over }, signal);
      const reply = await session.command('PING');
      session.close();
      return reply;
    },
  },
};
const MYSQL_OPTIONS = { datesAsText: true, largeNumbersAsText: false, decimalNumbers: false };
const FIND = { filter: {}, limit: 0, skip: 0 };
const ONE = { text: 'SELECT 1 AS one', values: [] };

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const addressOf = ({ host, port, credential }: DatabaseServer): Address => ({
  host,
  port,
  password: String(credential['password']),
});

/** A server that accepts connections and never sends anything. */
interface SilentServer {
  readonly port: number;
  /** Resolves when a client has connected. */
  readonly accepted: Promise<void>;
  /** Resolves when a client has hung up. */
  readonly closed: Promise<void>;
}

async function silentServer(): Promise<SilentServer> {
  const events = new EventEmitter();
  const [accepted, closed] = ['accepted', 'closed'].map((name) => once(events, name).then(() => undefined));
  const server: Server = createServer((socket: Socket) => {
    events.emit('accepted');
    socket.resume();
    socket.on('close', () => events.emit('closed')).on('error', () => undefined);
  });
  later(server, (open) => open.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, accepted: accepted ?? Promise.resolve(), closed: closed ?? Promise.resolve() };
}

describe.each(Object.entries(KINDS))('a session with %s', (_name, { use }) => {
  const local = (port: number): Address => ({ host: '127.0.0.1', port, password: 'x' });

  it('reports that nothing listens', async () => {
    expect(await failureOf(use(local(1)))).toMatchObject({ code: 'CONNECTION_REFUSED', systemCode: 'ECONNREFUSED' });
  });

  it('gives up on a server that never responds, and hangs up', async () => {
    const { port, closed } = await silentServer();
    const error = await failureOf(use(local(port), { connectMs: 100 }));
    expect(error).toBeInstanceOf(OutboundError);
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('took longer than 100 ms') });
    await closed;
  });

  it('ends with the run, and hangs up', async () => {
    const { port, accepted, closed } = await silentServer();
    const run = new AbortController();
    const using = failureOf(use(local(port), {}, run.signal));
    await accepted;
    run.abort();
    expect(await using).toMatchObject({ code: 'ABORTED' });
    await closed;
  });

  it('fails if the guard rejects the address, and reports a host that does not exist', async () => {
    for (const host of ['10.0.0.1', '169.254.169.254', '127.0.0.2'])
      expect(await failureOf(use({ ...local(5432), host }))).toBeInstanceOf(OutboundRefused);
    expect(await failureOf(use({ ...local(5432), host: 'no-such-host.invalid' }))).toMatchObject({
      code: 'HOST_NOT_FOUND',
    });
  });
});

for (const [name, { variable, use }] of Object.entries(KINDS))
  describeWith(variable, `a real ${name}`, (server) => {
    it('reports a wrong password without it', async () => {
      const error = await failureOf(use({ ...addressOf(server), password: 'wrong-password-9' }));
      expect(error).toBeInstanceOf(DatabaseFailed);
      expect(String(error)).not.toContain('wrong-password-9');
    });

    it('is used with its password', async () => {
      await expect(use(addressOf(server))).resolves.toBeDefined();
    });
  });

describeWith('TEST_POSTGRES_URL', 'limits of a PostgreSQL session', (server) => {
  const open = (over: Partial<typeof WIDE>, signal = never): Promise<SqlSession> =>
    openClients([server.port]).postgres(
      { ...addressOf(server), user: 'weft', database: 'postgres' },
      { datesAsText: true, largeNumbers: true },
      { ...WIDE, ...over },
      signal,
    );

  it('end a query with too many rows, too many bytes, or without a response', async () => {
    const many = { text: 'SELECT generate_series(1, 5000000) AS n', values: [] };
    expect(await failureOf((await open({ maxRows: 10 })).run(many))).toMatchObject({ exceeded: 'rows' });
    const wide = { text: `SELECT repeat('x', 20000000) AS wide`, values: [] };
    const error = await failureOf((await open({ maxBytes: 1_000_000 })).run(wide));
    expect(error).toBeInstanceOf(QueryTooLarge);
    expect(error).toMatchObject({ exceeded: 'bytes' });
    const slow = { text: 'SELECT pg_sleep(600)', values: [] };
    expect(await failureOf((await open({ queryMs: 100 })).run(slow))).toMatchObject({ code: 'TIMEOUT' });
  });

  it('apply to each query separately', async () => {
    const session = await open({ maxRows: 3, maxBytes: 2_000 });
    for (let n = 0; n < 5; n += 1)
      await expect(session.run({ text: 'SELECT generate_series(1, 3) AS n', values: [] })).resolves.toHaveLength(1);
    session.close();
  });

  it('end a query with the run', async () => {
    const run = new AbortController();
    const session = await open({}, run.signal);
    const running = failureOf(session.run({ text: 'SELECT pg_sleep(600)', values: [] }));
    run.abort();
    expect(await running).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(session.run(ONE))).toMatchObject({ code: 'ABORTED' });
  });

  it('do not end the session: it remains usable after a failed query', async () => {
    const session = await open({});
    expect(await failureOf(session.run({ text: 'SELECT * FROM no_such_table', values: [] }))).toMatchObject({
      code: '42P01',
    });
    expect((await session.run(ONE))[0]?.rows).toEqual([{ one: 1 }]);
    session.close();
  });

  it('reject a server without TLS if the credential requires it', async () => {
    const error = await failureOf(
      openClients([server.port]).postgres(
        { ...addressOf(server), user: 'weft', database: 'postgres', tls: { rejectUnauthorized: true } },
        { datesAsText: true, largeNumbers: true },
        WIDE,
        never,
      ),
    );
    expect(String(error)).toContain('The server does not support SSL connections');
  });
});

describeWith('TEST_MYSQL_URL', 'limits of a MySQL session', (server) => {
  const open = (over: Partial<typeof WIDE>, signal = never): Promise<SqlSession> =>
    openClients([server.port]).mysql(
      { ...addressOf(server), user: 'weft', database: 'weft' },
      MYSQL_OPTIONS,
      { ...WIDE, ...over },
      signal,
    );

  it('end a query with too many rows, too many bytes, or without a response', async () => {
    const many = { text: 'SELECT seq FROM seq_1_to_5000000', values: [] };
    expect(await failureOf((await open({ maxRows: 10 })).run(many))).toMatchObject({ exceeded: 'rows' });
    const wide = { text: `SELECT repeat('x', 15000000) AS wide`, values: [] };
    expect(await failureOf((await open({ maxBytes: 1_000_000 })).run(wide))).toMatchObject({ exceeded: 'bytes' });
    const slow = { text: 'SELECT sleep(600)', values: [] };
    expect(await failureOf((await open({ queryMs: 100 })).run(slow))).toMatchObject({ code: 'TIMEOUT' });
  });

  it('end a query with the run', async () => {
    const run = new AbortController();
    const session = await open({}, run.signal);
    const running = failureOf(session.run({ text: 'SELECT sleep(600)', values: [] }));
    run.abort();
    expect(await running).toMatchObject({ code: 'ABORTED' });
  });

  it('verify certificates if the credential requires TLS', async () => {
    const secured = (rejectUnauthorized: boolean): Promise<SqlSession> =>
      openClients([server.port]).mysql(
        { ...addressOf(server), user: 'weft', database: 'weft', tls: { rejectUnauthorized } },
        MYSQL_OPTIONS,
        WIDE,
        never,
      );
    expect(await failureOf(secured(true))).toMatchObject({ code: 'CERTIFICATE' });
    const session = await secured(false);
    const [result] = await session.run({ text: `SHOW STATUS LIKE 'Ssl_version'`, values: [] });
    expect(String(result?.rows[0]?.['Value'])).toMatch(/^TLS/);
    session.close();
  });
});

describeWith('TEST_REDIS_URL', 'limits of a Redis session', (server) => {
  const open = (over: Partial<typeof WIDE>, signal = never): Promise<RedisSession> =>
    openClients([server.port]).redis({ ...addressOf(server), user: '', database: 2 }, { ...WIDE, ...over }, signal);

  it('end a command with too many bytes or without a response, and with the run', async () => {
    const writer = await open({});
    await writer.command('SET', 'wide', 'x'.repeat(3_000_000));
    expect(await failureOf((await open({ maxBytes: 1_000_000 })).command('GET', 'wide'))).toMatchObject({
      exceeded: 'bytes',
    });
    expect(await writer.command('GET', 'wide')).toHaveLength(3_000_000);
    expect(await failureOf((await open({ queryMs: 100 })).command('BLPOP', 'none', 0))).toMatchObject({
      code: 'TIMEOUT',
    });
    const run = new AbortController();
    const session = await open({}, run.signal);
    const waiting = failureOf(session.command('BLPOP', 'none', 0));
    run.abort();
    expect(await waiting).toMatchObject({ code: 'ABORTED' });
    writer.close();
  });

  it('do not end the session: it remains usable after a failed command', async () => {
    const session = await open({});
    expect(await failureOf(session.command('NO-SUCH-COMMAND'))).toMatchObject({ code: 'ERR' });
    expect(await session.command('ECHO', 'a\r\nb')).toBe('a\r\nb');
    session.close();
  });
});

describe('a Redis session', () => {
  const answering = async (bytes: string): Promise<unknown> => {
    const server = createServer((socket) => socket.on('error', () => undefined).end(bytes));
    later(server, (open) => open.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const plan = { host: '127.0.0.1', port, user: '', password: '', database: 1 };
    return failureOf(openClients([port]).redis(plan, WIDE, never));
  };

  it.each([['HTTP/1.1 400 Bad Request\r\n\r\n'], ['$x\r\n'], [`${'*1\r\n'.repeat(50)}:1\r\n`], ['x'.repeat(100_000)]])(
    'reports that the server does not speak its protocol: %j',
    async (bytes) => expect(await answering(bytes)).toMatchObject({ code: 'PROTOCOL' }),
  );

  it('reports that the connection was closed', async () => {
    expect(await answering('')).toMatchObject({ code: 'CONNECTION_LOST' });
  });
});

describeWith('TEST_MONGODB_URL', 'limits of a MongoDB session', (server) => {
  const { host, port, password } = addressOf(server);
  const url = `mongodb://weft:${password}@${host}:${port}`;
  const open = (over: Partial<typeof WIDE>, signal = never): Promise<MongoSession> =>
    openClients([port]).mongo({ url, database: 'weft' }, { ...WIDE, ...over }, signal);
  const fill = async (): Promise<void> => {
    const session = await open({});
    await session.deleteMany('wide', {});
    await session.insertMany(
      'wide',
      Array.from({ length: 300 }, () => ({ text: 'x'.repeat(10_000) })),
    );
    session.close();
  };

  it('end a query with too many documents, too many bytes, or without a response', async () => {
    await fill();
    expect(await failureOf((await open({ maxRows: 10 })).find('wide', FIND))).toMatchObject({ exceeded: 'rows' });
    expect(await failureOf((await open({ maxBytes: 100_000 })).find('wide', FIND))).toMatchObject({
      exceeded: 'bytes',
    });
    expect(await failureOf((await open({ queryMs: 1 })).find('wide', FIND))).toMatchObject({ code: 'TIMEOUT' });
  });

  it('end a query with the run', async () => {
    const run = new AbortController();
    const session = await open({}, run.signal);
    const running = failureOf(session.find('wide', FIND));
    run.abort();
    expect(await running).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(session.find('wide', FIND))).toMatchObject({ code: 'ABORTED' });
  });

  it('do not end the session: it remains usable after a failed query', async () => {
    const session = await open({});
    expect(await failureOf(session.find('wide', { ...FIND, filter: { a: { $no: 1 } } }))).toBeInstanceOf(
      DatabaseFailed,
    );
    expect(await session.find('none', FIND)).toEqual([]);
    session.close();
  });

  it('apply to members that the server announces: none is reached past the guard', async () => {
    const { port: announcing } = await announcingServer(['10.0.0.1:27017', '169.254.169.254:80', '127.0.0.2:27017']);
    const tried: string[] = [];
    const client = later(createOutboundClient({ allow: [`127.0.0.1:${announcing}`] }), (opened) => opened.close());
    const databases = createDatabases((to, at, signal) => {
      tried.push(`${to}:${at}`);
      return client.openSocket(to, at, signal);
    });
    const bounds = { ...WIDE, connectMs: 2_000 };
    const seed = `mongodb://127.0.0.1:${announcing}/?replicaSet=r`;
    expect(await failureOf(databases.mongo({ url: seed, database: 'weft' }, bounds, never))).toBeInstanceOf(
      OutboundError,
    );
    expect(new Set(tried)).toEqual(
      new Set([`127.0.0.1:${announcing}`, '10.0.0.1:27017', '169.254.169.254:80', '127.0.0.2:27017']),
    );
  });

  it('reject a server without TLS if the credential requires it', async () => {
    const secured = openClients([port]).mongo({ url, database: 'weft', tls: {} }, { ...WIDE, connectMs: 3_000 }, never);
    expect(await failureOf(secured)).toBeInstanceOf(OutboundError);
  });
});

/** A server that claims to belong to a replica set with these members. */
async function announcingServer(hosts: readonly string[]): Promise<{ readonly port: number }> {
  const reply = { ok: 1, setName: 'r', setVersion: 1, hosts, secondary: true, minWireVersion: 0, maxWireVersion: 21 };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (request: Buffer) => {
      // OP_MSG or OP_REPLY, depending on the request.
      const document = Buffer.from(BSON.serialize({ ...reply, helloOk: true }));
      const isMessage = request.readInt32LE(12) === 2013;
      const body = isMessage ? Buffer.concat([Buffer.alloc(5), document]) : Buffer.concat([REPLY_HEAD, document]);
      const head = Buffer.alloc(16);
      head.writeInt32LE(head.length + body.length, 0);
      head.writeInt32LE(request.readInt32LE(4), 8);
      head.writeInt32LE(isMessage ? 2013 : 1, 12);
      socket.write(Buffer.concat([head, body]));
    });
  });
  later(server, (open) => open.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port };
}

/** Flags, cursor, position and number of documents of an OP_REPLY. */
const REPLY_HEAD = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
