import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with the parts of a checkout that the bench uses, and a stack of two small processes. */
export interface StandInCheckout {
  readonly folder: string;
  /** Has a line with the name of the checkout for each webhook call. */
  readonly log: string;
}

/** Behaviour of the stack. */
export interface StandInOptions {
  readonly name: string;
  /** A folder in which all stacks of a test write the same log. */
  readonly log: string;
  /** CPU time of each webhook call, which a child process of the gateway spends. */
  readonly callMs: number;
  /** Number of webhook calls after which the gateway ends, as if it had crashed. */
  readonly endsAfter?: number;
}

const BOOTSTRAP = `
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
export const bootstrap = async (program) => {
  console.log('compiling, says the checkout');
  await import(pathToFileURL(join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../..', program)));
};`;

const LIBRARY = `
const { fork } = require('node:child_process');
const { once } = require('node:events');
exports.startStack = async ({ env, replicas }) => {
  const gateway = fork(__dirname + '/gateway.js');
  const runner = fork(__dirname + '/runner.js');
  const [port] = await once(gateway, 'message');
  let isStopped = false;
  return {
    processes: [{ service: 'gateway', pid: gateway.pid }, { service: 'runner', pid: runner.pid }],
    servers: [],
    baseUrls: ['http://127.0.0.1:' + port],
    apiKey: env.credentials.RATE_LIMIT_PER_MINUTE === '0' ? 'unlimited' : 'limited',
    mongodbUri: '',
    grpcTargets: { workflows: '' },
    unexpectedEnd: () => new Promise((settle) =>
      gateway.once('exit', () => isStopped || settle(new Error('gateway ended')))),
    stop: async () => {
      isStopped = true;
      for (const each of [gateway, runner]) each.kill();
    },
  };
};`;

const gateway = ({ name, log, callMs, endsAfter }: StandInOptions): string => `
const { spawnSync } = require('node:child_process');
const { appendFileSync } = require('node:fs');
let calls = 0;
const burn = 'while (process.cpuUsage().user / 1000 < ${callMs});';
const server = require('node:http').createServer((request, response) => {
  request.resume();
  const isCall = request.url.startsWith('/webhook/');
  if (!isCall && request.headers['x-svc-api-key'] !== 'unlimited') return response.writeHead(401).end();
  if (isCall) {
    calls += 1;
    if (calls > ${endsAfter ?? Number.MAX_SAFE_INTEGER}) process.exit(1);
    appendFileSync(${JSON.stringify(log)}, '${name}\\n');
    spawnSync(process.execPath, ['-e', burn]);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: request.method === 'POST' ? { id: 'w' } : [], nextCursor: null }));
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', () => process.exit(0));`;

const RUNNER = `process.once('disconnect', () => process.exit(0));`;

/** Writes such a checkout into a new folder, which the caller removes. */
export const standInCheckout = (options: StandInOptions): StandInCheckout => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-checkout-'));
  const files: Readonly<Record<string, string>> = {
    'packages/local-stack/bin/bootstrap.mjs': BOOTSTRAP,
    'packages/local-stack/dist/src/index.js': LIBRARY,
    'packages/local-stack/dist/src/gateway.js': gateway(options),
    'packages/local-stack/dist/src/runner.js': RUNNER,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, log: options.log };
};
