import type { Socket } from 'node:net';
import { createOutboundClient } from '@weft/outbound';
import { type LocalServer, serveTcp } from '@weft/outbound/testing';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { Server as SshServer, utils } from 'ssh2';
import { runKind } from '../src/testing/cases/run-kind';
import { SERVER_RUNS, type ServerRun } from '../src/testing/servers/server-runs';
import { impatientPorts, type Patience } from './support/impatient-ports';

/** Time limit of the test instead of the nodes' limits. */
const LIMIT_MS = 400;
/** The maximum limit of a node: five minutes. */
const MAX_LIMIT_MS = 300_000;
/** Far more than the limit: anything slower is not bounded by it. */
const BOUND_MS = 20_000;
const BYTE_MS = 2;
const within = (ms: number): Patience => ({ connectMs: ms, greetingMs: ms, stepMs: ms, silenceMs: ms });
const IMPATIENT = within(LIMIT_MS);
/** Time limit for work that a test does not wait for. */
const PATIENT = within(MAX_LIMIT_MS);

const later = closeAfterEach();

async function serving(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return later(await serveTcp(onSocket), (server) => server.close());
}

/** Sends one byte after the other, endlessly. */
function dribble(socket: Socket, text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  let said = 0;
  const timer = setInterval(() => {
    socket.write(said < bytes.length ? bytes.subarray(said, said + 1) : 'x');
    said += 1;
  }, BYTE_MS);
  socket.on('close', () => clearInterval(timer));
}

/** Runs a node, and checks that its error contains a time limit. @returns the message */
async function failure(one: ServerRun, port: number, patience = IMPATIENT): Promise<string> {
  const { message, asked } = await failing(one, port, patience);
  const limits = [...new Set([...Object.values(patience), ...asked])].join('|');
  expect(message).toMatch(new RegExp(`\\b(${limits}) ?ms\\b`));
  return message;
}

/** Runs a node that must fail within a bounded time. @returns its message, and the time limits that it requested */
async function failing({ kind, run }: ServerRun, port: number, patience: Patience) {
  const client = later(createOutboundClient({ allow: ['127.0.0.0/8'] }), (open) => open.close());
  const { ports, asked } = impatientPorts(client, patience);
  const began = Date.now();
  const { error } = await runKind(kind, { ...ports, ...run(port) });
  expect(Date.now() - began).toBeLessThan(BOUND_MS);
  expect(Math.max(...asked)).toBeLessThanOrEqual(MAX_LIMIT_MS);
  expect(error?.name).toMatch(/^Node(Operation|Api)Error$/);
  // The messages of HTTP failures are n8n's; the description has the details.
  return { message: `${error?.message} ${error?.description}`, asked };
}

const hungUp = (server: LocalServer): Promise<unknown> =>
  until('the node has hung up', () => server.openSockets() === 0);

describe.each(SERVER_RUNS.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  it('reports that nothing listens', async () => {
    const server = await serveTcp(() => undefined);
    await server.close();
    expect((await failing(one, server.port, PATIENT)).message).toContain('refused the connection');
  });

  it('times out if the server accepts and stays silent, and hangs up', async () => {
    const server = await serving(() => undefined);
    await failure(one, server.port);
    await hungUp(server);
  });

  it('times out if the server sends one byte at a time, and hangs up', async () => {
    const server = await serving((socket) => dribble(socket, one.begins));
    await failure(one, server.port);
    await hungUp(server);
  });
});

const runOf = (name: string): ServerRun => {
  const found = SERVER_RUNS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No run of ${name}.`);
  return found;
};

it.each([
  ['emailReadImap', 'The mail server sent no greeting within 150 ms'],
  ['emailSend', 'The mail server did not answer within 150 ms'],
])('%s reports how long it waited for the greeting', async (name, message) => {
  const server = await serving(() => undefined);
  expect(await failure(runOf(name), server.port, { ...PATIENT, greetingMs: 150 })).toContain(message);
  await hungUp(server);
});

describe('after its login', () => {
  const silent: Patience = { ...PATIENT, silenceMs: 150 };

  it('an FTP server that falls silent fails the node, which reports how long it waited', async () => {
    const server = await serving((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (command: Buffer) => {
        const [verb = ''] = command.toString().trim().split(' ');
        const replies: Readonly<Record<string, string>> = { USER: '331 go', PASS: '230 in', TYPE: '200 ok' };
        const reply = replies[verb];
        if (reply !== undefined) socket.write(`${reply}\r\n`);
      });
    });
    expect(await failure(runOf('ftp over ftp'), server.port, silent)).toContain('The server was silent for 150 ms');
    await hungUp(server);
  });

  it('a mail server that falls silent fails the node, which reports how long it waited', async () => {
    const server = await serving((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1] hello\r\n');
      socket.on('data', (command: Buffer) => {
        const [tag = '', verb = ''] = command.toString().trim().split(' ');
        if (verb === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1\r\n');
        if (['CAPABILITY', 'LOGIN'].includes(verb)) socket.write(`${tag} OK done\r\n`);
      });
    });
    expect(await failure(runOf('emailReadImap'), server.port, silent)).toContain(
      'The mail server was silent for 150 ms',
    );
    await hungUp(server);
  });

  it.each([
    ['ssh', 'The command took longer than 400 ms'],
    ['ftp over sftp', 'The transfer took longer than 400 ms'],
  ])('an SSH server that does nothing fails %s with the limit of one step', async (name, message) => {
    const { private: hostKey } = utils.generateKeyPairSync('ecdsa', { bits: 256 });
    const server = new SshServer({ hostKeys: [hostKey] }, (connection) => {
      connection.on('error', () => undefined).on('authentication', (attempt) => attempt.accept());
      connection.on('session', (accept) => {
        accept()
          .on('exec', (acceptCommand) => void acceptCommand())
          .on('sftp', () => undefined);
      });
    });
    later(server, (open) => open.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await failure(runOf(name), port, { ...PATIENT, stepMs: LIMIT_MS })).toContain(message);
  });
});
