import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { createOutboundClient, createRemoteServers, type RemoteServers } from '@weft/outbound';
import { closeAfterEach } from '@weft/service-kit/testing';
import { within } from '@weft/service-kit/time-limit';
import { utils } from 'ssh2';
import { type KindResult, runKind } from '../src/testing/cases/run-kind';
import { localRemoteServers, loginOf } from './support/remote-server';
import { describeAt } from './support/servers';

const later = closeAfterEach();

const localRemote = (): RemoteServers => localRemoteServers(later);

/** Runs a node of a kind with a credential. */
function runWith(
  kind: 'ftp' | 'ssh',
  type: string,
  credential: JsonObject,
  parameters: JsonObject,
  more: Partial<Parameters<typeof runKind>[1]> = {},
): Promise<KindResult> {
  const node = { credentials: { [type]: { id: 'c1', name: 'Login' } }, ...more.node };
  return runKind(kind, { remote: localRemote(), credential, parameters, ...more, node });
}

const jsonOf = ({ error, outputs }: KindResult): readonly unknown[] => {
  expect(error).toBeUndefined();
  return outputs[0] ?? [];
};

async function fileNamed(fileName: string, content: string) {
  const files = memoryFiles();
  const data = await files.store(Buffer.from(content), { mimeType: 'text/plain', fileName });
  return { files, binary: { data } };
}

/** A server that sends a greeting and listens, or sends nothing at all. */
async function serverSaying(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    onSocket(socket);
  });
  later(server, (open) => open.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** A network that delivers data from a server in pieces at this interval. @returns its port */
async function gatheringNetwork(serverPort: number, ms: number): Promise<number> {
  const network = createServer((socket) => {
    const server = connect(serverPort, '127.0.0.1');
    const gathered: Buffer[] = [];
    const timer = setInterval(() => {
      if (gathered.length > 0) socket.write(Buffer.concat(gathered.splice(0)));
    }, ms);
    server.on('data', (piece: Buffer) => gathered.push(piece)).on('error', () => socket.destroy());
    server.on('close', () => socket.destroy());
    socket
      .on('error', () => server.destroy())
      .on('close', () => {
        clearInterval(timer);
        server.destroy();
      });
    socket.pipe(server);
  });
  later(network, (open) => open.close());
  await new Promise<void>((resolve) => {
    network.listen(0, '127.0.0.1', resolve);
  });
  return (network.address() as AddressInfo).port;
}

describeAt('TEST_SSH_URL', 'ssh', (address) => {
  const login = loginOf(address);
  const home = address.pathname;
  const run = (parameters: JsonObject, more = {}, credential = login): Promise<KindResult> =>
    runWith('ssh', 'sshPassword', credential, parameters, more);

  it('runs a command in a folder, and outputs its output and exit code', async () => {
    const result = await run({ command: 'pwd; echo oops >&2; exit 3', cwd: home });
    expect(jsonOf(result)).toEqual([{ code: 3, signal: null, stdout: home, stderr: 'oops' }]);
  });

  it('outputs the output and exit code of a command when all of it arrives at once', async () => {
    const port = await gatheringNetwork(Number(address.port), 100);
    const result = await run({ command: 'pwd; echo oops >&2; exit 3', cwd: home }, {}, { ...login, port });
    expect(jsonOf(result)).toEqual([{ code: 3, signal: null, stdout: home, stderr: 'oops' }]);
  });

  it('runs a command for each item, and continues after one that fails', async () => {
    const items = [{ path: '~/' }, { path: '~other' }];
    const result = await run(
      { command: 'pwd', cwd: '={{ $json.path }}' },
      { items, node: { onError: 'continueRegularOutput' } },
    );
    expect(jsonOf(result)).toEqual([
      { code: 0, signal: null, stdout: '/data', stderr: '' },
      { error: 'Invalid path. Replace "~" with home directory or "~/"' },
    ]);
  });

  it('treats the name of a folder as one word', async () => {
    const [result] = jsonOf(await run({ command: 'echo fine', cwd: `/no'; echo hacked; '` }));
    expect(result).toMatchObject({ stdout: 'fine' });
  });

  it('uploads and downloads a file, with a hostile name below the given folder', async () => {
    const folder = `${home}/${randomUUID()}`;
    await run({ command: `mkdir ${folder}`, cwd: '/' });
    const { files, binary } = await fileNamed('../../escaped ü.txt', 'hello');
    const file = { resource: 'file', operation: 'upload', path: folder };
    expect(jsonOf(await run(file, { files, binary }))).toEqual([{ success: true }]);
    const path = `${folder}/.._.._escaped ü.txt`;
    const result = await run({ resource: 'file', operation: 'download', path }, { files, items: [{ a: 1 }] });
    expect(jsonOf(result)).toEqual([{ a: 1 }]);
    const stored = result.items[0]?.[0]?.binary?.['data'];
    expect(stored?.fileName).toBe('.._.._escaped ü.txt');
    expect(stored && Buffer.from(await files.read(stored)).toString()).toBe('hello');
  });

  it("reports the server's message about a missing file", async () => {
    const { error } = await run({ resource: 'file', operation: 'download', path: '/none' });
    expect(error?.message).toContain('No such file');
  });

  it('logs in with a key, and with an encrypted one', async () => {
    for (const passphrase of ['', 'test-passphrase-1']) {
      // one ed25519 key in 256 is written wrongly (https://github.com/mscdex/ssh2/issues/1513)
      const encryption = passphrase === '' ? {} : { passphrase, cipher: 'aes256-cbc', rounds: 4 };
      const pair = utils.generateKeyPairSync('ecdsa', { bits: 256, ...encryption });
      await run({ command: `mkdir -p .ssh && echo '${pair.public}' >> .ssh/authorized_keys`, cwd: '/data' });
      const { host = '', port = 0, username = '' } = login;
      const credential = { host, port, username, privateKey: pair.private.trim().replaceAll('\n', '\\n'), passphrase };
      const parameters = { authentication: 'privateKey', command: 'echo in', cwd: '/' };
      expect(jsonOf(await runWith('ssh', 'sshPrivateKey', credential, parameters))).toMatchObject([{ stdout: 'in' }]);
    }
  });

  it('reports a wrong password without it', async () => {
    const { error } = await run({ command: 'true' }, {}, { ...login, password: 'wrong-password-9' });
    expect(error?.message).toContain('The server refused the login');
    expect(JSON.stringify(error)).not.toContain('wrong-password-9');
  });

  it('trusts only the server with the fingerprint in the credential', async () => {
    const other = `SHA256:${'A'.repeat(43)}`;
    const { error } = await run({ command: 'true' }, {}, { ...login, hostFingerprint: other });
    const shown = /SHA256:[^)]+/.exec(error?.message ?? '')?.[0] ?? '';
    expect(shown).not.toBe('');
    expect(jsonOf(await run({ command: 'echo ok', cwd: '/' }, {}, { ...login, hostFingerprint: shown }))).toMatchObject(
      [{ stdout: 'ok' }],
    );
    const wrong = await run({ command: 'true' }, {}, { ...login, hostFingerprint: 'md5:x' });
    expect(wrong.error?.message).toContain('hostFingerprint');
  });

  it('ends a command with too much output, one that takes too long, and one whose run ends', async () => {
    const remote = localRemote();
    const { host, port, username: user, password } = login;
    const server = {
      ...{ host: String(host), port: Number(port), user: String(user), password: String(password) },
      ...{ privateKey: '', passphrase: '', hostFingerprint: '' },
    };
    const bounds = { connectMs: 20_000, stepMs: 20_000, silenceMs: 20_000, maxBytes: 100_000, maxEntries: 10 };
    const ended = (over: object, command: string, signal = new AbortController().signal): Promise<unknown> =>
      remote
        .ssh(server, { ...bounds, ...over }, signal, (session) => session.run(command))
        .catch((error: unknown) => error);
    expect(await ended({}, 'yes')).toMatchObject({
      message: expect.stringMatching(/more than 100000 bytes|too many bytes/),
    });
    expect(await ended({ stepMs: 200 }, 'sleep 600')).toMatchObject({ code: 'TIMEOUT' });
    const controller = new AbortController();
    const running = ended({}, 'sleep 600', controller.signal);
    setTimeout(() => controller.abort(), 300);
    expect(await running).toMatchObject({ code: 'ABORTED' });
    expect(await ended({ received: () => new Error('no room') }, 'echo x')).toMatchObject({ message: 'no room' });
  });
});

describe.each(['ssh', 'ftp'] as const)('%s without a server', (kind) => {
  const run = (host: string, port: number, signalMs = 300): Promise<KindResult> => {
    const credential = { host, port, username: 'u', password: 'p' };
    const parameters = kind === 'ssh' ? { command: 'true' } : { path: '/x', options: { timeout: signalMs } };
    return runWith(kind, kind === 'ssh' ? 'sshPassword' : 'ftp', credential, parameters);
  };

  it('reports that nothing listens, and that a host does not exist', async () => {
    expect((await run('127.0.0.1', 1)).error?.message).toContain('refused the connection');
    expect((await run('no-such-host.invalid', 22)).error?.message).toContain('No address was found');
  });

  it('fails if the guard rejects the address', async () => {
    for (const host of ['10.0.0.1', '169.254.169.254', '127.0.0.2'])
      expect((await run(host, 22)).error?.message).toMatch(/private|not allowed|address/i);
  });

  it('reports that the server speaks another protocol', async () => {
    const port = await serverSaying((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect((await run('127.0.0.1', port, 5_000)).error).toBeDefined();
  });
});

it('sends FTP data to no other host than that of the credential', async () => {
  let reached = false;
  const victim = await serverSaying(() => (reached = true));
  const announced = `127,0,0,2,${victim >> 8},${victim & 255}`;
  const port = await serverSaying((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (command: Buffer) => {
      const verb = command.toString().slice(0, 4);
      const replies: Readonly<Record<string, string>> = {
        PASV: `227 Entering (${announced})`,
        EPSV: '500 no',
        PASS: '230 in',
      };
      socket.write(`${replies[verb] ?? (verb === 'USER' ? '331 go' : '200 ok')}\r\n`);
    });
  });
  const tried: string[] = [];
  const client = later(createOutboundClient({ allow: ['127.0.0.0/8'] }), (open) => open.close());
  const remote = createRemoteServers((host, at, signal) => {
    tried.push(`${host}:${at}`);
    return client.openSocket(host, at, signal);
  });
  const credential = { host: '127.0.0.1', port, username: 'u', password: 'p' };
  const files = runWith('ftp', 'ftp', credential, { operation: 'list', path: '/' }, { remote });
  // The list itself never arrives: the server responds with 200.
  await within(files, 1_500);
  expect(tried).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${victim}`]);
  expect(reached).toBe(true);
});

it('keeps nothing of an FTP session once it is over, even though the server fell silent', async () => {
  const port = await serverSaying((socket) => socket.write('220 hello\r\n'));
  const controller = new AbortController();
  const server = { host: '127.0.0.1', port, user: 'u', password: 'p' };
  const bounds = { connectMs: 5_000, stepMs: 5_000, silenceMs: 100, maxBytes: 1_000, maxEntries: 10 };
  const listed = localRemote().ftp(server, bounds, controller.signal, (files) => files.list('/'));
  await expect(listed).rejects.toThrow('The server was silent for 100 ms');
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

for (const protocol of ['ftp', 'sftp'] as const)
  describeAt(protocol === 'ftp' ? 'TEST_FTP_URL' : 'TEST_SSH_URL', `ftp over ${protocol}`, (address) => {
    const login = loginOf(address);
    const folder = `${protocol === 'ftp' ? '/data/ftp' : address.pathname}/${randomUUID()}`;
    const run = (parameters: JsonObject, more = {}, version = 1.1): Promise<KindResult> =>
      runWith('ftp', protocol, login, { protocol, ...parameters }, { version, ...more });
    const put = (path: string, fileContent: string): Promise<KindResult> =>
      run({ operation: 'upload', path, binaryData: false, fileContent });
    const namesIn = async (path: string, recursive = false): Promise<unknown[]> =>
      jsonOf(await run({ operation: 'list', path, recursive })).map((one) =>
        typeof one === 'object' && one !== null ? Reflect.get(one, recursive ? 'path' : 'name') : one,
      );

    it.each([1, 1.1])('uploads text and files, creates missing folders, and outputs the item (%s)', async (version) => {
      const { files, binary } = await fileNamed('a.txt', 'from a file');
      const path = `${folder}/up ${version}/deep/a ü.txt`;
      const result = await run({ operation: 'upload', path }, { files, binary, items: [{ a: 1 }] }, version);
      expect(jsonOf(result)).toEqual([{ a: 1 }]);
      const read = await run({ operation: 'download', path }, { items: [{ b: 1 }], files }, version);
      expect(jsonOf(read)).toEqual([{ b: 1 }]);
      const stored = read.items[0]?.[0]?.binary?.['data'];
      expect(stored?.fileName).toBe('a ü.txt');
      expect(stored && Buffer.from(await files.read(stored)).toString()).toBe('from a file');
    });

    it.each([1, 1.1])('lists a folder, and everything below it (%s)', async (version) => {
      const at = `${folder}/list${version}`;
      await put(`${at}/one.txt`, '12345');
      await put(`${at}/in/two.txt`, '');
      const found = jsonOf(await run({ operation: 'list', path: at }, {}, version));
      expect(found).toHaveLength(2);
      expect(found).toContainEqual(
        expect.objectContaining({
          ...{ type: '-', name: 'one.txt', size: 5, path: `${at}/one.txt` },
          ...{ modifyTime: expect.stringMatching(/^20\d\d-/), rights: expect.objectContaining({ user: 'rw' }) },
        }),
      );
      expect(found).toContainEqual(expect.objectContaining({ type: 'd', name: 'in' }));
      expect((await namesIn(at, true)).sort()).toEqual([`${at}/in`, `${at}/in/two.txt`, `${at}/one.txt`]);
    });

    it.each([1, 1.1])('renames a file, into a folder that it creates if configured (%s)', async (version) => {
      const at = `${folder}/rename${version}`;
      await put(`${at}/one`, 'x');
      const to = { oldPath: `${at}/one`, newPath: `${at}/new/two` };
      expect((await run({ operation: 'rename', ...to }, {}, version)).error).toBeDefined();
      const options = { createDirectories: true };
      expect(jsonOf(await run({ operation: 'rename', ...to, options }, {}, version))).toEqual([{ success: true }]);
      expect(await namesIn(`${at}/new`)).toEqual(['two']);
    });

    it.each([1, 1.1])('deletes files, and folders with their content (%s)', async (version) => {
      const at = `${folder}/delete${version}`;
      await put(`${at}/one`, 'x');
      await put(`${at}/in/two`, 'x');
      expect(jsonOf(await run({ operation: 'delete', path: `${at}/one` }, {}, version))).toEqual([{ success: true }]);
      const kept = await run({ operation: 'delete', path: at, options: { folder: true } }, {}, version);
      expect(kept.error).toBeDefined();
      const all = { operation: 'delete', path: at, options: { folder: true, recursive: true } };
      expect(jsonOf(await run(all, {}, version))).toEqual([{ success: true }]);
      expect((await run({ operation: 'download', path: `${at}/in/two` })).error).toBeDefined();
    });

    it.each([1, 1.1])('rejects paths that would be other commands (%s)', async (version) => {
      const { error } = await run({ operation: 'delete', path: `${folder}/x\r\nDELE ${folder}/y` }, {}, version);
      expect(error?.message).toContain('A path must not contain control characters');
    });

    it("outputs the server's message instead of the item if the node continues", async () => {
      const node = { onError: 'continueRegularOutput' };
      const result = await run({ operation: 'download', path: '/none/such' }, { node });
      expect(jsonOf(result)).toEqual([{ error: expect.stringContaining('The server refused it') }]);
    });

    it.each([1, 1.1])('reports a wrong password without it, as one item if it continues (%s)', async (version) => {
      const wrong = { ...login, password: 'wrong-password-9' };
      const items = [{}, {}];
      const parameters = { protocol, operation: 'list', path: '/' };
      const { error } = await runWith('ftp', protocol, wrong, parameters, { items, version });
      expect(error?.message).toContain('The server refused the login');
      expect(JSON.stringify(error)).not.toContain('wrong-password-9');
      const node = { onError: 'continueRegularOutput' };
      const going = await runWith('ftp', protocol, wrong, parameters, { items, node, version });
      expect(jsonOf(going)).toEqual([{ error: expect.stringContaining('refused the login') }]);
    });
  });
