// Starts an unpacked archive, runs a workflow, stops it, and prints what happened as JSON. A separate program, so that
// a test can run it in a network without any other machine: drive-archive.js FOLDER DATA PORT...
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const [folder = '', data = '', ...ports] = process.argv.slice(2);
const VARIABLES = ['PORT', 'WORKFLOWS_PORT', 'EXECUTIONS_PORT', 'CREDENTIALS_PORT', 'RUNNER_PORT'];
const READY = /Weft is ready after ([\d.]+) s/;

const WORKFLOW = {
  name: 'From the archive',
  nodes: [
    { id: 'a', name: 'Start', type: 'weft-nodes-base.start', position: [0, 0], parameters: {} },
    {
      id: 'b',
      name: 'Code',
      type: 'weft-nodes-base.code',
      typeVersion: 2,
      position: [200, 0],
      parameters: { jsCode: 'return [{ json: { sum: $input.first().json.a + 2 } }];' },
    },
  ],
  connections: { Start: { main: [[{ node: 'Code', type: 'main', index: 0 }]] } },
  settings: {},
};

async function drive(): Promise<object> {
  const began = Date.now();
  const server = spawn(process.execPath, [join(folder, 'start.mjs')], {
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      HOME: join(data, 'home'),
      WEFT_DATA: join(data, 'data'),
      ...Object.fromEntries(VARIABLES.map((name, index) => [name, ports[index]])),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const isReady = new Promise<void>((settle, fail) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (READY.test(output)) settle();
    });
    server.once('exit', () => fail(new Error(`The archive ended:\n${output}`)));
  });
  await isReady;
  const readyMs = Date.now() - began;
  try {
    return { readyMs, ...(await runWorkflow(/API key +(\S+)/.exec(output)?.[1] ?? '')) };
  } finally {
    server.removeAllListeners('exit');
    server.kill('SIGINT');
    await once(server, 'exit');
  }
}

async function runWorkflow(key: string): Promise<object> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${ports[0]}/api/v1${path}`, {
      method,
      headers: { 'x-svc-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const created = await call('POST', '/workflows', WORKFLOW);
  const { id } = dataOf(created);
  const started = dataOf(await call('POST', `/workflows/${String(id)}/execute`, { data: { a: 40 }, wait: true }));
  const run = dataOf(await call('GET', `/executions/${String(started['executionId'])}?includeData=true`));
  const version = dataOf(await call('GET', '/version'));
  return { run: { status: run['status'], text: JSON.stringify(run) }, commit: version['commit'] };
}

function dataOf(body: unknown): Record<string, unknown> {
  const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
  if (typeof data !== 'object' || data === null) throw new Error(`Not an object: ${JSON.stringify(body)}`);
  return Object.fromEntries(Object.entries(data));
}

drive().then(
  (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
