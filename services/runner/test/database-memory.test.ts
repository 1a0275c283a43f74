import {
  createDatabases,
  createOutboundClient,
  type Databases,
  type QueryBounds,
  type SqlSession,
} from '@weft/outbound';
import { closeAfterEach } from '@weft/service-kit/testing';
import { createMemoryBudget, type MemoryBudget } from '../src/domain/memory/memory-budget';

const MIB = 1024 * 1024;
const address = process.env['TEST_POSTGRES_URL'];
const BOUNDS: QueryBounds = { connectMs: 60_000, queryMs: 60_000, maxRows: 100_000, maxBytes: 32 * MIB };
const later = closeAfterEach();

const budgetOf = (runBytes: number, processBytes: number): MemoryBudget =>
  createMemoryBudget({
    ...{ runBytes, processBytes, heapBytes: 1024 * MIB, heapUsed: () => 0, others: () => 0, clock: () => 0 },
    largeBytes: 8 * MIB,
    expectsLarge: false,
  });

async function sessionOf(databases: Databases, { hostname: host, port, username, password }: URL): Promise<SqlSession> {
  const server = { host, port: Number(port), user: username, password, database: 'postgres' };
  const { signal } = new AbortController();
  const session = await databases.postgres(server, { datesAsText: true, largeNumbers: true }, BOUNDS, signal);
  return later(session, (open) => open.close());
}

const rows = (count: number, bytes: number) => ({
  text: `SELECT repeat('x', ${bytes}) AS text FROM generate_series(1, ${count})`,
  values: [],
});

const tests = (url: URL): void => {
  const clients = (): Databases => {
    const client = createOutboundClient({ allow: [`${url.hostname}:${url.port}`] });
    later(client, (open) => open.close());
    return createDatabases(client.openSocket);
  };

  it('protects the memory of other runs from huge rows of one run', async () => {
    const memory = budgetOf(60 * MIB, 60 * MIB);
    const [hostile, healthy] = [memory.open('hostile'), memory.open('healthy')];
    const huge = await sessionOf(hostile.databases(clients()), url);
    const small = await sessionOf(healthy.databases(clients()), url);
    const refused = huge.run(rows(28, MIB)).catch((error: unknown) => error);
    const answers: number[] = [];
    for (let n = 0; n < 30; n += 1) answers.push((await small.run(rows(10, 100)))[0]?.rows.length ?? 0);
    expect(await refused).toMatchObject({ name: 'ResultRefused', message: expect.stringContaining('Request less') });
    expect(answers).toEqual(Array.from({ length: 30 }, () => 10));
    await expect(huge.run(rows(1, 1))).rejects.toMatchObject({ name: 'ResultRefused' });
    hostile.close();
    expect(memory.hasRoom()).toBe(true);
  });

  it('guarantees a run its share while another one uses the whole memory', async () => {
    const memory = budgetOf(100 * MIB, 30 * MIB);
    const [full, healthy] = [memory.open('full'), memory.open('healthy')];
    full.hold(40 * MIB);
    const session = await sessionOf(healthy.databases(clients()), url);
    expect((await session.run(rows(3, MIB)))[0]?.rows).toHaveLength(3);
    await expect(session.run(rows(20, MIB))).rejects.toMatchObject({
      message: expect.stringContaining('not have enough memory for the response of the server'),
    });
  });

  it('counts received data only as long as the node runs', async () => {
    const memory = budgetOf(30 * MIB, 60 * MIB);
    const run = memory.open('one');
    for (let node = 0; node < 5; node += 1) {
      run.begin();
      const session = await sessionOf(run.databases(clients()), url);
      expect((await session.run(rows(5, MIB)))[0]?.rows).toHaveLength(5);
    }
  });
};

describe('memory for database responses', () => {
  if (address === undefined || address === '') it.skip('(skipped: TEST_POSTGRES_URL names no server)', () => undefined);
  else tests(new URL(address));
});
