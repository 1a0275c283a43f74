import child_process from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import inspector from 'node:inspector';
import module from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import v8 from 'node:v8';
import worker_threads from 'node:worker_threads';

/** A way out of a process. Succeeds if it is open; throws or rejects if it is closed. */
export type WayOut = () => unknown;

/** Targets: a port with a listener, and a folder with a file in it. */
export interface Outside {
  readonly port: number;
  readonly folder: string;
}

const ANSWER_MS = 500;

/** Ends as soon as the emitter emits `good`; fails on an error or a timeout. */
const hear = (emitter: NodeJS.EventEmitter, good: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS);
    const settle = (work: () => void) => (): void => {
      clearTimeout(timer);
      work();
    };
    emitter.once(
      good,
      settle(() => resolve(good)),
    );
    emitter.once(
      'error',
      settle(() => reject(new Error('an error'))),
    );
  });

const failIf = (isShut: boolean): void => {
  if (isShut) throw new Error('shut');
};

const files = ({ folder }: Outside): Readonly<Record<string, WayOut>> => {
  const known = join(folder, 'known');
  const fresh = join(folder, 'fresh');
  return {
    'read a file': () => fs.readFileSync(known),
    'read a file by promise': () => fs.promises.readFile(known),
    'read a file by stream': () => hear(fs.createReadStream(known), 'data'),
    'write a file': () => fs.writeFileSync(fresh, 'x'),
    'append to a file': () => fs.appendFileSync(known, 'x'),
    'list a folder': () => fs.readdirSync('/'),
    'see the size of a file': () => fs.statSync(known),
    'see that a file exists': () => failIf(!fs.existsSync(known)),
    'follow a link': () => fs.readlinkSync('/proc/self/exe'),
    'find out a real path': () => fs.realpathSync(folder),
    'make a link': () => fs.symlinkSync(known, fresh),
    'make a hard link': () => fs.linkSync(known, fresh),
    'make a folder': () => fs.mkdtempSync(fresh),
    'copy a file': () => fs.copyFileSync(known, fresh),
    'rename a file': () => fs.renameSync(known, fresh),
    'delete a file': () => fs.rmSync(known),
    'change rights': () => fs.chmodSync(known, 0o777),
    'change an owner': () => fs.chownSync(known, 1, 1),
    'watch a folder': () => fs.watch(folder).close(),
    'open a file as a blob': async () => (await fs.openAsBlob(known)).text(),
    'read its environment': () => fs.readFileSync('/proc/self/environ'),
    'write its memory': () => fs.openSync('/proc/self/mem', 'r+'),
    'read its memory map': () => fs.readFileSync('/proc/self/maps'),
    'read the environment of its parent': () => fs.readFileSync('/proc/1/environ'),
    'list processes': () => fs.readdirSync('/proc'),
    'open a terminal': () => fs.openSync('/dev/tty', 'r+'),
    'see a file system': () => fs.statfsSync('/'),
    'go to a folder': () => process.chdir('/'),
    'ask where it is': () => process.cwd(),
  };
};

const network = ({ port, folder }: Outside): Readonly<Record<string, WayOut>> => ({
  'connect by TCP': () => hear(net.connect(port, '127.0.0.1'), 'connect'),
  'connect by TLS': () => hear(tls.connect(port, '127.0.0.1'), 'connect'),
  'connect to a socket in a folder': () => hear(net.connect(join(folder, 'socket')), 'connect'),
  'listen by TCP': () => hear(net.createServer().listen(0), 'listening'),
  'listen on a socket in a folder': () => hear(net.createServer().listen(join(folder, 'own')), 'listening'),
  'bind by UDP': () => hear(dgram.createSocket('udp4').bind(0), 'listening'),
  'send by UDP': () =>
    new Promise<void>((resolve, reject) => {
      const socket = dgram.createSocket('udp4').on('error', reject);
      socket.send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    }),
  'send a request': () => hear(http.get({ port, host: '127.0.0.1' }), 'response'),
  'send a request by HTTP/2': () => hear(http2.connect(`http://127.0.0.1:${port}`), 'connect'),
  fetch: () => fetch(`http://127.0.0.1:${port}`),
  'look up a name': () => dns.promises.lookup('localhost'),
  'resolve a name': () => dns.promises.resolve4('localhost'),
  'list network interfaces': () => os.networkInterfaces(),
});

const processes = ({ folder }: Outside): Readonly<Record<string, WayOut>> => ({
  'start a program': () => hear(child_process.spawn('/bin/true'), 'exit'),
  'start a program and wait': () => child_process.execFileSync('/bin/true'),
  'start a shell': () => child_process.execSync('true'),
  'fork itself': () => hear(child_process.fork(join(folder, 'known')), 'spawn'),
  'start a thread': () => hear(new worker_threads.Worker('1', { eval: true }), 'exit'),
  'signal its parent': () => process.kill(process.ppid, 0),
  'signal init': () => process.kill(1, 0),
  'signal its group': () => process.kill(0, 0),
  'wake its parent': () => process.kill(process.ppid, 'SIGCONT'),
  'become another user': () => process.setuid?.(65_534),
  'change its group': () => process.setgid?.(65_534),
  'change its priority': () => os.setPriority(0, 19),
  'change the priority of others': () => os.setPriority(process.ppid, 19),
});

const system = ({ folder }: Outside): Readonly<Record<string, WayOut>> => ({
  'name the host': () => os.hostname(),
  'name the user': () => os.userInfo(),
  'load a library': () => process.dlopen({ exports: {} }, join(folder, 'known')),
  'load a module': () => module.createRequire('/')(join(folder, 'known')),
  'open the inspector': () => {
    inspector.open(0);
    failIf(inspector.url() === undefined);
  },
  'write a heap snapshot': () => v8.writeHeapSnapshot(join(folder, 'fresh')),
  'write a report': () => {
    process.report.writeReport(join(folder, 'fresh'));
    throw new Error('It says nothing; the test looks for what it wrote.');
  },
  'read other descriptors': () => {
    const open = Array.from({ length: 61 }, (_, index) => index + 3).filter((descriptor) => {
      try {
        fs.fstatSync(descriptor);
        return true;
      } catch {
        return false;
      }
    });
    failIf(open.length === 0);
  },
  'keep a secret in its environment': () => failIf(Object.keys(process.env).every((name) => name === 'TZ')),
});

/** Ways out of a process for code that controls all of Node, by name. */
export const waysOut = (outside: Outside): readonly (readonly [name: string, way: WayOut])[] => {
  EventEmitter.defaultMaxListeners = 100;
  return [files, network, processes, system].flatMap((group) => Object.entries(group(outside)));
};
