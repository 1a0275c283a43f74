import { VARIABLES, openCaseSession, type CaseSession } from './support/case-databases';
import { type MemoryRuns, memoryRuns } from './support/memory-runs';
import { describeWith } from './support/servers';

const ROWS = 1_000_000;
const LARGE_MIB = 100;
/** The bound of what is read. */
const MAX_BYTES = 512 * 1024;

const bytesOf = (known: unknown): number => Buffer.byteLength(JSON.stringify(known));

describeWith(VARIABLES.postgres, 'a conversation in PostgreSQL', (server) => {
  let session: CaseSession;
  let runs: MemoryRuns;
  beforeAll(async () => {
    session = await openCaseSession('postgres', server);
    runs = memoryRuns({ kind: 'memoryPostgresChat', database: 'postgres', server }, 1.3);
    await session.ask([
      'DROP TABLE IF EXISTS n8n_chat_histories; CREATE TABLE n8n_chat_histories ',
      '(id SERIAL PRIMARY KEY, session_id VARCHAR(255) NOT NULL, message JSONB NOT NULL)',
    ]);
  });
  afterAll(() => {
    session.close();
    runs.close();
  });

  it(`with ${ROWS} rows gives its newest messages, and a healthy one next to it all its messages`, async () => {
    await session.ask([
      `INSERT INTO n8n_chat_histories (session_id, message) SELECT 's', `,
      `jsonb_build_object('type', CASE n % 2 WHEN 1 THEN 'human' ELSE 'ai' END, 'content', 'm' || n) `,
      `FROM generate_series(1, ${ROWS}) AS n`,
    ]);
    await runs.say('healthy', { sessionKey: 'healthy' });
    const known = await runs.known({ contextWindowLength: 0 });
    expect(known).toMatchObject({ known: expect.arrayContaining([{ role: 'assistant', content: `m${ROWS}` }]) });
    expect(Object(known)['known']).toHaveLength(1_000);
    expect(await runs.known({ sessionKey: 'healthy' })).toMatchObject({ known: [{}, {}] });
  });

  it(`with a message of ${LARGE_MIB} MiB gives the messages after it`, async () => {
    await session.ask([
      `INSERT INTO n8n_chat_histories (session_id, message) VALUES ('large', jsonb_build_object('type', 'human', `,
      `'content', repeat('x', ${LARGE_MIB * 1024 * 1024})))`,
    ]);
    await runs.say('after', { sessionKey: 'large' });
    expect(await runs.known({ sessionKey: 'large' })).toMatchObject({ known: [{ content: 'after' }, {}] });
  });
});

describeWith(VARIABLES.redis, 'a conversation in Redis', (server) => {
  let session: CaseSession;
  let runs: MemoryRuns;
  beforeAll(async () => {
    session = await openCaseSession('redis', server);
    runs = memoryRuns({ kind: 'memoryRedisChat', database: 'redis', server }, 1.5);
    await session.ask(['FLUSHDB']);
  });
  afterAll(() => {
    session.close();
    runs.close();
  });

  it('with a message of 100 MiB fails clearly, and a healthy one next to it does not', async () => {
    await session.ask(['SETRANGE', 'large', String(LARGE_MIB * 1024 * 1024 - 1), 'x']);
    await session.ask(['EVAL', "redis.call('LPUSH', 's', redis.call('GET', 'large'))", '0']);
    const [hostile, healthy] = await Promise.all([runs.say('x'), runs.say('y', { sessionKey: 'healthy' })]);
    expect(hostile.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('exceeds the limit') },
    });
    expect(healthy.outcome).toMatchObject({ kind: 'success' });
  });

  it('with a million entries gives its newest messages', async () => {
    const push =
      `for n = 1, ${ROWS} do redis.call('LPUSH', 's', ` +
      `'{"type":"' .. (n % 2 == 1 and 'human' or 'ai') .. '","data":{"content":"m' .. n .. '"}}') end`;
    await session.ask(['DEL', 's']);
    await session.ask(['EVAL', push, '0']);
    const known = await runs.known({ contextWindowLength: 0 });
    expect(Object(known)['known']).toHaveLength(1_000);
    expect(bytesOf(known)).toBeLessThan(MAX_BYTES);
  });
});

describeWith(VARIABLES.mongoDb, 'a conversation in MongoDB', (server) => {
  it('with many large messages gives the newest that fit', async () => {
    const session = await openCaseSession('mongoDb', server);
    const runs = memoryRuns({ kind: 'memoryMongoDbChat', database: 'mongoDb', server }, 1);
    const messages = Array.from({ length: 140 }, (_, at) => ({
      type: at % 2 === 0 ? 'human' : 'ai',
      data: { content: `${at} ${'x'.repeat(100_000)}` },
    }));
    await session.ask([JSON.stringify({ delete: 'n8n_chat_histories', deletes: [{ q: {}, limit: 0 }] })]);
    await session.ask([JSON.stringify({ insert: 'n8n_chat_histories', documents: [{ sessionId: 's', messages }] })]);
    const known = await runs.known({ contextWindowLength: 0 });
    session.close();
    runs.close();
    expect(Object(known)['known']).toHaveLength(4);
    expect(bytesOf(known)).toBeLessThan(MAX_BYTES);
  });
});
