import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';
import { identify } from '../src/processes/process-identity';
import { SERVICE_NODE_FLAGS, SERVICES, type ServiceName, youngGenerationFlags } from '../src/stack/services';
import { startStack } from '../src/stack/start-stack';
import type { Stack } from '../src/stack/stack';
import { STAND_INS, environmentIn, nodeArgsIn, stopOrder } from './stand-ins';

describe('startStack', () => {
  const stacks: Stack[] = [];
  const start: typeof startStack = async (options) => {
    const stack = await startStack({ programs: STAND_INS, ...options });
    stacks.push(stack);
    return stack;
  };
  const closing: (() => unknown)[] = [];
  const folders: string[] = [];
  const withClient = async (uri: string, use: (client: MongoClient) => Promise<unknown>): Promise<unknown> => {
    const client = await MongoClient.connect(uri);
    return use(client).finally(() => client.close());
  };
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it('starts every replica, healthy, and gives each the addresses of all replicas of its peers', async () => {
    const stack = await start({ replicas: { gateway: 2, executions: 2 } });
    expect(stack.processes.map(({ service, index }) => `${service}-${index}`)).toEqual([
      'credentials-0',
      'workflows-0',
      'executions-0',
      'executions-1',
      'runner-0',
      'gateway-0',
      'gateway-1',
    ]);
    expect(stack.grpcTargets.executions).toMatch(/^ipv4:127\.0\.0\.1:\d+,127\.0\.0\.1:\d+$/);
    expect(environmentIn(stack.of('gateway')[1]?.logFile ?? '')).toMatchObject({
      EXECUTIONS_TARGET: stack.grpcTargets.executions,
    });
    for (const base of stack.baseUrls) expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(stack.baseUrls).toHaveLength(2);
  });

  it('stops the services in the reverse of the start order and leaves nothing but logs', async () => {
    const stack = await start({});
    const pids = [...stack.processes, ...stack.servers].map(({ pid }) => pid);
    await stack.stop();
    expect(pids.filter((pid) => identify(pid) !== undefined)).toEqual([]);
    expect(stopOrder(join(stack.dataDir, 'logs'))).toEqual([
      'gateway',
      'runner',
      'executions',
      'workflows',
      'credentials',
    ]);
    expect(readdirSync(stack.dataDir)).toEqual(['logs']);
  });

  it('removes its stream from a server that others use as well', async () => {
    const nats = await connect({ servers: process.env['NATS_URL'] ?? '' });
    closing.push(() => nats.close());
    const manager = await nats.jetstreamManager();
    const stack = await start({});
    const stream = `${stack.namespace}_executions`;
    await manager.streams.add({ name: stream, subjects: [`${stream}.queued`] });
    await stack.stop();
    await expect(manager.streams.info(stream)).rejects.toMatchObject({ code: '404' });
  });

  it('gives variables to one service alone and excludes unknown ones of the user', async () => {
    const stack = await start({
      env: { executions: { LEASE_MS: '700' } },
      environment: { ...process.env, LEASE_MS: '9000', SWEEP_MS: '50', UNKNOWN_SECRET: 'x' },
    });
    expect(environmentIn(stack.of('executions')[0]?.logFile ?? '')).toMatchObject({ LEASE_MS: '700', SWEEP_MS: '50' });
    expect(environmentIn(stack.of('runner')[0]?.logFile ?? '')).toMatchObject({ LEASE_MS: '9000' });
    expect(environmentIn(stack.of('runner')[0]?.logFile ?? '')).not.toHaveProperty('UNKNOWN_SECRET');
  });

  it('gives variables to one replica alone, and directs a process to others by the given ports', async () => {
    const stack = await start({
      replicas: { executions: 2 },
      envOf: (service, index) => (service === 'executions' && index === 1 ? { LEASE_MS: '900' } : {}),
      reach: ({ from, to }) =>
        Promise.resolve(
          from.service === 'gateway' && to.name === 'executions'
            ? 100 + to.index
            : from.service === 'workflows' && to.name === 'mongodb'
              ? 99
              : to.port,
        ),
    });
    const [first, second] = stack.of('executions').map(({ logFile }) => environmentIn(logFile));
    expect([first?.['LEASE_MS'], second?.['LEASE_MS']]).toEqual([undefined, '900']);
    expect(environmentIn(stack.of('gateway')[0]?.logFile ?? '')).toMatchObject({
      EXECUTIONS_TARGET: 'ipv4:127.0.0.1:100,127.0.0.1:101',
      WORKFLOWS_TARGET: stack.grpcTargets.workflows,
    });
    expect(environmentIn(stack.of('workflows')[0]?.logFile ?? '')).toMatchObject({
      MONGODB_URI: 'mongodb://127.0.0.1:99',
      EXECUTIONS_TARGET: stack.grpcTargets.executions,
    });
    expect(first).toMatchObject({ MONGODB_URI: stack.mongodbUri });
  });

  it('lets a MongoDB of the stack be killed and started again with its acknowledged data, and no other', async () => {
    const own = await start({ ownServers: true });
    const read = (use: (client: MongoClient) => Promise<unknown>): Promise<unknown> => withClient(own.mongodbUri, use);
    await read((client) =>
      client
        .db('kept')
        .collection<{ _id: string }>('things')
        .insertOne({ _id: 'one' }, { writeConcern: { w: 'majority', journal: true } }),
    );
    await own.killMongodb();
    await own.startMongodbAgain();
    await expect(read((client) => client.db('kept').collection('things').countDocuments({}))).resolves.toBe(1);
    const shared = await start({});
    await expect(shared.killMongodb()).rejects.toThrow('was not started by this stack');
  });

  it('lets a process be killed and started again on the same port', async () => {
    const stack = await start({});
    const [runner] = stack.of('runner');
    const [pid, port] = [runner?.pid, runner?.port];
    runner?.kill('SIGKILL');
    expect(await runner?.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await runner?.restart();
    expect(runner?.pid).not.toBe(pid);
    expect(runner?.port).toBe(port);
    expect(runner?.hasEnded).toBe(false);
  });

  it('reports which process ended on its own, with its last log lines', async () => {
    const stack = await start({});
    const unexpected = stack.unexpectedEnd();
    stack.of('workflows')[0]?.kill('SIGKILL');
    expect((await unexpected).message).toMatch(/^workflows was ended by SIGKILL\. Its last lines were:\n/);
  });

  it('stops everything and says why if a process does not come up', async () => {
    const fault = await start({ env: { executions: { STAND_IN_FAULT: 'no such luck' } } }).catch(
      (error: unknown) => error,
    );
    expect(String(fault)).toMatch(/executions ended with exit code 3\. [\s\S]*no such luck/);
  });

  it('transfers servers, secrets and names to another stack', async () => {
    const first = await start({});
    const second = await start({ keepServersFrom: first });
    await first.stop();
    expect([second.dataDir, second.apiKey, second.namespace]).toEqual([first.dataDir, first.apiKey, first.namespace]);
    expect(first.processes.every(({ hasEnded }) => hasEnded)).toBe(true);
    expect((await fetch(`${second.baseUrls[0]}/readyz`)).status).toBe(200);
  });

  it('preserves secrets and database of a named data folder, even when its servers were killed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weft-kept-'));
    folders.push(dataDir);
    const first = await start({ dataDir, ownServers: true });
    await withClient(first.mongodbUri, (client) =>
      client
        .db('kept')
        .collection<{ _id: string }>('things')
        .insertOne({ _id: 'one' }, { writeConcern: { w: 1, j: true } }),
    );
    for (const server of first.servers) server.kill('SIGKILL');
    await first.stop();
    const second = await start({ dataDir, ownServers: true });
    const count = withClient(second.mongodbUri, (client) => client.db('kept').collection('things').countDocuments());
    expect(await count).toBe(1);
    expect(second.apiKey).toBe(first.apiKey);
    expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true);
  });

  it('reads source maps for a named data folder, whose logs people read, and not for the time of a test', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weft-maps-'));
    folders.push(dataDir);
    const stacks = [await start({ dataDir }), await start()];
    const options = stacks.map(({ processes }) => processes.flatMap(({ logFile }) => nodeArgsIn(logFile)));
    const flagsOf = (service: ServiceName) => [...SERVICE_NODE_FLAGS, ...youngGenerationFlags(service)];
    expect(options).toEqual([
      SERVICES.flatMap((service) => ['--enable-source-maps', ...flagsOf(service)]),
      SERVICES.flatMap(flagsOf),
    ]);
  });

  it('can lose NATS with its streams and start it again at the same address', async () => {
    const stack = await start({ ownServers: true });
    const [before] = stack.servers;
    await stack.killNatsAndItsStore();
    expect(before?.hasEnded).toBe(true);
    expect(existsSync(join(stack.dataDir, 'nats'))).toBe(false);
    await stack.startNatsAgain();
    expect(stack.servers[0]?.pid).not.toBe(before?.pid);
    expect(stack.servers[0]?.hasEnded).toBe(false);
  });

  it('refuses a data folder that another stack uses, by the number of its process', async () => {
    const first = await start({});
    await expect(start({ dataDir: first.dataDir })).rejects.toThrow(
      `Process ${process.pid} already runs a stack on the data folder ${first.dataDir}.`,
    );
  });
});
