import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../src/processes/free-port';

const START = join(__dirname, '../src/commands/start-main.js');
const LIMIT_MS = 40_000;

describe('npm start with a bad value ends with one clear sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-bad-values-'));
  const file = join(folder, 'file');
  const other = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  let otherPort = 0;
  let ports: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    writeFileSync(file, '');
    const names = ['PORT', 'WORKFLOWS_PORT', 'EXECUTIONS_PORT', 'CREDENTIALS_PORT', 'RUNNER_PORT'];
    const free = await freePorts(names.length);
    ports = Object.fromEntries(names.map((name, index) => [name, String(free[index])]));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    otherPort = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (variables: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [START], {
        env: {
          PATH: process.env['PATH'] ?? '',
          WEFT_DATA: join(folder, 'data'),
          WEFT_CACHE: process.env['WEFT_CACHE'] ?? '',
          HOME: process.env['HOME'] ?? '',
          // No server is started for a test of messages.
          MONGODB_URI: 'mongodb://127.0.0.1:9',
          NATS_URL: 'nats://127.0.0.1:9',
          ...ports,
          ...variables,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => (output += part));
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ code, output });
      });
    });

  const cases: readonly (readonly [string, () => Readonly<Record<string, string>>, RegExp])[] = [
    ['a port that is not a number', () => ({ PORT: 'abc' }), /- PORT is "abc"; it must be a port/],
    [
      'one port for two',
      () => ({ RUNNER_PORT: ports['PORT'] ?? '' }),
      /^Port \d+ is meant for gateway and for runner; set PORT/m,
    ],
    ['a port that is taken', () => ({ PORT: String(otherPort) }), /is taken\. Set PORT to a free one/],
    ['an unknown log level', () => ({ LOG_LEVEL: 'loud' }), /- LOG_LEVEL: "loud" is not one of debug, info/],
    ['a URL without a scheme', () => ({ PUBLIC_URL: 'nope' }), /- PUBLIC_URL: "nope" /],
    [
      'bad values of several services',
      () => ({ QUEUE_LIMIT: 'x', RUNNER_SLOTS: 'x', RATE_LIMIT_PER_MINUTE: 'x' }),
      /^3 settings are invalid:$/m,
    ],
    [
      'a data folder below a file',
      () => ({ WEFT_DATA: join(file, 'a/b') }),
      /^The data folder .* cannot be used: ENOTDIR/m,
    ],
    [
      'a data folder below /proc',
      () => ({ WEFT_DATA: '/proc/weft/a' }),
      /^The data folder .*Name another one in WEFT_DATA/m,
    ],
    ['a cache folder below a file', () => ({ WEFT_CACHE: join(file, 'a') }), /^The cache folder .*in WEFT_CACHE/m],
    ['a MongoDB that is down', () => ({}), /^No MongoDB answers at MONGODB_URI .*ECONNREFUSED/m],
    ['a NATS that is down', () => ({}), /^No NATS server answers at NATS_URL .*ECONNREFUSED.*Start it/m],
    [
      'another program in place of NATS',
      () => ({ NATS_URL: `nats://user:hidden@127.0.0.1:${otherPort}` }),
      /NATS_URL \(nats:\/\/\*\*\*@127\.0\.0\.1:\d+: (?:another program answers|it closed)/,
    ],
    [
      'a misspelled name',
      () => ({ RATE_LIMIT_PER_MIN: '0' }),
      /^warning: RATE_LIMIT_PER_MIN is not a setting.*Did you mean RATE_LIMIT_PER_MINUTE\?$/m,
    ],
  ];
  it.each(cases)('%s', async (_name, variables, expected) => {
    const { code, output } = await start(variables());
    expect(output).toMatch(expected);
    expect(output).not.toMatch(/^ +at |hidden|^\w*Error: /m);
    expect(code).toBe(1);
  });
});
