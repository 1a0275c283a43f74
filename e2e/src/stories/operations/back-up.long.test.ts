import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startStack, type ServiceName, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, type NodeFile } from '../../support/workflows';

const ROOT = join(__dirname, '../../../../..');
const STORES = ['executions', 'workflows', 'credentials'] as const satisfies readonly ServiceName[];
const SECRET = 'canary-4f1d9c27ab';
const ENV = {
  credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
  runner: { OUTBOUND_ALLOW: '127.0.0.1', WAIT_IN_PROCESS_MS: '0', RUNNER_SLOTS: '4' },
} as const;

/** A server that answers held callers only after `open`, and all others at once. */
interface HoldingServer {
  readonly url: string;
  readonly held: () => number;
  /** Values of the header x-token of each path. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  readonly open: () => void;
  readonly stop: () => void;
}

const startHoldingServer = async (): Promise<HoldingServer> => {
  const waiting = new Set<ServerResponse>();
  const tokens = new Map<string, string[]>();
  let isOpen = false;
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    tokens.set(path, [...(tokens.get(path) ?? []), String(request.headers['x-token'])]);
    if (path.startsWith('/held') && !isOpen) waiting.add(response);
    else response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => waiting.size,
    tokens,
    open: () => {
      isOpen = true;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

describe('a back-up of a running Weft', () => {
  let stack: Stack;
  let rest: Rest;
  let base: string;
  let server: HoldingServer;
  const folder = mkdtempSync(join(tmpdir(), 'weft-back-up-'));
  const place = join(folder, 'monday');

  const enter = (started: Stack): void => {
    stack = started;
    base = started.baseUrls[0] ?? '';
    rest = restClient(base, started.apiKey);
  };
  beforeAll(async () => {
    server = await startHoldingServer();
    enter(await startStack({ env: ENV }));
  });
  afterAll(async () => {
    await stack?.stop();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const backUp = (...args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> => {
    const databases = STORES.map((name) => [`${name.toUpperCase()}_MONGODB_DATABASE`, `${stack.namespace}_${name}`]);
    const child = spawn(process.execPath, [join(ROOT, 'deploy/back-up.mjs'), ...args], {
      env: { PATH: process.env['PATH'], MONGODB_URI: stack.mongodbUri, ...Object.fromEntries(databases) },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
  };
  const dropDatabases = async (): Promise<void> => {
    const connection = await mongoose.createConnection(stack.mongodbUri).asPromise();
    for (const name of STORES) await connection.getClient().db(`${stack.namespace}_${name}`).dropDatabase();
    await connection.close();
  };
  const endProcesses = async (): Promise<void> => {
    for (const each of stack.processes) each.kill('SIGKILL');
    await Promise.all(stack.processes.map((each) => each.ended));
  };

  const create = async (name: string, nodes: readonly NodeFile[], active = false): Promise<string> => {
    const connections = connect(
      Object.fromEntries(nodes.slice(1).map((one, index) => [nodes[index]?.name ?? '', [[one.name]]])),
    );
    const settings = { executionOrder: 'v1' };
    return textOf(await rest('POST', '/workflows', { name, nodes, connections, settings, active }), 'id');
  };
  const begin = async (workflowId: string, data: object = {}): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, { data }), 'executionId');
  const statusOf = async (id: string): Promise<unknown> => dataOf(await rest('GET', `/executions/${id}`))['status'];
  const reaches = (id: string, status: string): Promise<unknown> => {
    let found: unknown;
    return until(
      () => `${status} of ${id} (${Object.keys(ids).find((name) => Reflect.get(ids, name) === id)}), which is ${found}`,
      async () => (found = await statusOf(id)) === status,
    );
  };
  const start = node('Start', 'manualTrigger', 1, 0);
  const call = (path: string, credentialId: string): NodeFile =>
    node(
      'Call',
      'httpRequest',
      4.2,
      200,
      {
        url: `${server.url}${path}`,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        options: {},
      },
      { credentials: { httpHeaderAuth: { id: credentialId, name: 'token' } } },
    );
  const hook = (path: string): NodeFile =>
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' });

  const ids = { running: '', paused: '', timed: '', queued: '', parent: '', ended: '', clock: '', credential: '' };
  let resumePath = '';
  let userKey = '';

  it('is made while runs of every state are under way, and holds no secret in clear', async () => {
    const data = { name: 'x-token', value: SECRET };
    ids.credential = textOf(await rest('POST', '/credentials', { name: 'token', type: 'httpHeaderAuth', data }), 'id');
    const slow = await create('running', [start, call('/held/running', ids.credential)]);
    const child = await create('child', [
      node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }),
      { ...call('/held/child', ids.credential) },
    ]);
    const parent = await create('parent', [
      start,
      node('Sub', 'executeWorkflow', 1.2, 200, {
        workflowId: { __rl: true, mode: 'id', value: child },
        options: { waitForSubWorkflow: true },
      }),
    ]);
    const paused = await create(
      'paused',
      [
        hook('paused'),
        node('Tell', 'set', 3.4, 200, {
          mode: 'manual',
          options: {},
          assignments: {
            assignments: [{ id: 'u', name: 'url', type: 'string', value: '={{ $execution.resumeUrl }}' }],
          },
        }),
        node('Wait', 'wait', 1.1, 400, { resume: 'webhook', httpMethod: 'POST', responseMode: 'lastNode' }),
        node('End', 'noOp', 1, 600),
      ],
      true,
    );
    const timed = await create('timed', [
      start,
      node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 30, unit: 'seconds' }),
      node('End', 'noOp', 1, 400),
    ]);
    const quick = await create('quick', [start, call('/quick', ids.credential)]);
    await create(
      'files',
      [
        hook('files'),
        node('File', 'convertToFile', 1.1, 200, { operation: 'toText', sourceProperty: 'body.line' }),
        node('Write', 'readWriteFile', 1, 400, {
          operation: 'write',
          fileName: '/data/log.txt',
          options: { append: true },
        }),
        node('Read', 'readBinaryFiles', 1, 600, { fileSelector: '/data/*.txt', dataPropertyName: 'log' }),
        node('Text', 'extractFromFile', 1.1, 800, { operation: 'text', binaryPropertyName: 'log' }),
      ],
      true,
    );
    ids.clock = await create(
      'clock',
      [
        node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } }),
        node('Done', 'noOp', 1, 200),
      ],
      true,
    );
    await rest('POST', '/variables', { key: 'greeting', value: 'hello' });
    userKey = await makeUser(stack, 'client', 'editor');

    expect(JSON.parse((await callWebhook(base, 'files', { line: 'one,' })).text)).toEqual([{ data: 'one,' }]);
    ids.ended = await begin(quick, { text: 'long '.repeat(60_000) });
    await reaches(ids.ended, 'success');
    const told = await callWebhook(base, 'paused', {});
    const [{ url }]: [{ url: string }] = JSON.parse(told.text);
    resumePath = new URL(url).pathname + new URL(url).search;
    ids.paused = String(listOf(await rest('GET', `/executions?workflowId=${paused}`))[0]?.['id']);
    ids.timed = await begin(timed);
    ids.parent = await begin(parent);
    ids.running = await begin(slow);
    await reaches(ids.paused, 'waiting');
    await reaches(ids.timed, 'waiting');
    await until('both are in the middle of their call', () => Promise.resolve(server.held() >= 2));
    // Without a runner the next run stays in the queue.
    for (const runner of stack.of('runner')) {
      runner.kill('SIGKILL');
      await runner.ended;
    }
    ids.queued = await begin(quick);

    const made = await backUp('create', place);
    expect(made).toEqual({
      code: 0,
      text: expect.stringMatching(/credentials: \d+ documents .* has to have the id k/),
    });
    expect(await backUp('verify', place)).toMatchObject({ code: 0 });
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
    expect(files.length).toBeGreaterThan(15);
    for (const name of files)
      expect([name, gunzipSync(readFileSync(join(place, name))).includes(SECRET)]).toEqual([name, false]);
  });

  it('is not restored over what is there', async () => {
    const { code, text } = await backUp('restore', place);
    expect([code, text]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(await statusOf(ids.ended)).toBe('success');
  });

  it('is restored to an empty store, where every run continues to its end', async () => {
    await endProcesses();
    await dropDatabases();
    expect(await backUp('restore', place)).toEqual({
      code: 0,
      text: expect.stringMatching(/executions: \d+ documents/),
    });
    server.open();
    enter(await startStack({ env: ENV, keepServersFrom: stack }));
    for (const id of [ids.running, ids.parent, ids.queued, ids.timed]) await reaches(id, 'success');
    const resumed = await fetch(`${base}${resumePath}`, { method: 'POST', body: '{}' });
    expect(resumed.status).toBe(200);
    for (const id of [ids.paused, ids.ended]) await reaches(id, 'success');
    for (const path of ['/held/running', '/held/child', '/quick'])
      expect([path, new Set(server.tokens.get(path))]).toEqual([path, new Set([SECRET])]);
  });

  it('has everything else, too: data of runs, files, schedules, variables and keys', async () => {
    const ended = JSON.stringify(dataOf(await rest('GET', `/executions/${ids.ended}`)));
    expect(ended).toContain('long '.repeat(60_000));
    expect(JSON.parse((await callWebhook(base, 'files', { line: 'two' })).text)).toEqual([{ data: 'one,two' }]);
    expect(listOf(await rest('GET', '/variables'))).toMatchObject([{ key: 'greeting', value: 'hello' }]);
    expect((await restClient(base, userKey)('GET', '/workflows')).status).toBe(200);
    const newest = async (): Promise<unknown> =>
      listOf(await rest('GET', `/executions?workflowId=${ids.clock}&limit=1`))[0]?.['id'];
    const before = await newest();
    await until('the schedule starts runs again', async () => (await newest()) !== before);
  });

  it('is of no use for its secrets without the master key, and says so; entered again they are back', async () => {
    const [credentials] = stack.of('credentials');
    if (credentials === undefined) throw new Error('There are no credentials.');
    const former = /(k[0-9a-f]+):/.exec(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8'))?.[1] ?? '';
    const other = Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 37 + 11) % 256)).toString('base64');
    await expect(credentials.restart({ ...ENV.credentials, MASTER_KEY: `${former}:${other}` })).rejects.toThrow(
      /is another one than the key with which this installation has sealed/,
    );
    await credentials.restart({ ...ENV.credentials, MASTER_KEY: `after-loss:${other}` });
    // The breakers of the callers had opened while the service was down.
    await until('credentials are reached again', async () => (await rest('GET', '/workflows?limit=1')).status === 200);
    const quick = await create('after the loss', [start, call('/after', ids.credential)]);
    const failed = await begin(quick);
    await reaches(failed, 'error');
    expect(JSON.stringify(dataOf(await rest('GET', `/executions/${failed}`)))).toContain('Enter it again');
    expect(server.tokens.has('/after')).toBe(false);
    expect((await restClient(base, userKey)('GET', '/workflows')).status).toBe(401);

    const data = { name: 'x-token', value: SECRET };
    expect((await rest('PUT', `/credentials/${ids.credential}`, { data })).status).toBe(200);
    await reaches(await begin(quick), 'success');
    expect(server.tokens.get('/after')).toEqual([SECRET]);
  });
});
