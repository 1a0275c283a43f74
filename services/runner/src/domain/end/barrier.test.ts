import type { NodePorts } from '@weft/engine';
import type { OutboundStream } from '@weft/outbound';
import { behindBarrier, createBarrier, type Barrier, type PortGuard } from './barrier';
import type { WriteOutcome } from '../claims/claimed-execution';
import { createHeldExecutions } from '../claims/held/held-executions';

const called: string[] = [];
const method =
  (name: string) =>
  (...parameters: unknown[]): Promise<never> => {
    called.push(`${name}(${parameters.length})`);
    return Promise.reject(new Error('done'));
  };

/** Every port of nodes, whose methods record their calls. */
const PORTS: NodePorts = {
  http: { request: method('http.request') },
  streams: { stream: method('streams.stream') },
  mail: { send: method('mail.send') },
  databases: {
    postgres: method('databases.postgres'),
    mysql: method('databases.mysql'),
    redis: method('databases.redis'),
    mongo: method('databases.mongo'),
  },
  remote: { mailbox: method('remote.mailbox'), ssh: method('remote.ssh'), ftp: method('remote.ftp') },
  credentials: { use: method('credentials.use') },
  clock: { now: () => 0, sleep: method('clock.sleep') },
  files: { store: method('files.store'), read: method('files.read') },
  code: { run: method('code.run') },
  formats: { run: method('formats.run') },
  persistentState: {
    inTurn: method('persistentState.inTurn'),
    firstResult: method('persistentState.firstResult'),
    read: method('persistentState.read'),
    write: method('persistentState.write'),
  },
  fileArea: {
    list: method('fileArea.list'),
    read: method('fileArea.read'),
    write: method('fileArea.write'),
  },
  instance: { isHere: method('instance.isHere'), call: method('instance.call') },
  dataTables: {
    find: method('dataTables.find'),
    list: method('dataTables.list'),
    create: method('dataTables.create'),
    rename: method('dataTables.rename'),
    remove: method('dataTables.remove'),
    query: method('dataTables.query'),
    insert: method('dataTables.insert'),
    update: method('dataTables.update'),
    upsert: method('dataTables.upsert'),
    removeRows: method('dataTables.removeRows'),
  },
  startChild: method('startChild'),
  respond: method('respond'),
};

const isCallable = (value: unknown): value is (...parameters: unknown[]) => unknown => typeof value === 'function';

const guardOf = (barrier: Barrier): PortGuard => ({
  barrier,
  whileWaiting: (work) => work(),
  onResponse: () => undefined,
});

/** All functions of the ports, by path. */
const functionsOf = (ports: NodePorts): readonly (readonly [string, () => unknown])[] =>
  Object.keys(PORTS).flatMap((name): [string, () => unknown][] => {
    const port: unknown = Reflect.get(ports, name);
    if (isCallable(port)) return [[name, () => port('x')]];
    const members = typeof port === 'object' && port !== null ? port : {};
    const known: unknown = Reflect.get(PORTS, name);
    const names = typeof known === 'object' && known !== null ? Object.keys(known) : [];
    return names.map((member): [string, () => unknown] => [
      `${name}.${member}`,
      () => {
        const found: unknown = Reflect.get(members, member);
        return isCallable(found) ? found('x') : undefined;
      },
    ]);
  });

const REQUEST = {
  method: 'GET',
  url: 'http://x',
  timeoutMs: 1,
  followRedirects: false,
} as const;

const FREE = ['clock.now', 'clock.sleep', 'code.run', 'formats.run', 'respond'];

const barrierOf = (
  outcome: () => Promise<WriteOutcome>,
  isStored = () => false,
  flush: () => Promise<void> = () => Promise.resolve(),
) => {
  const held = createHeldExecutions(() => 0).hold('e', 1, 30_000, 0);
  let asked = 0;
  const persist = (): Promise<WriteOutcome> => {
    asked += 1;
    return outcome();
  };
  return { held, barrier: createBarrier({ isStored, persist, flush, held }), asked: () => asked };
};

describe('the barrier of a run', () => {
  beforeEach(() => {
    called.length = 0;
  });

  it('applies to every port except clock, code, formats and respond', async () => {
    const refusing = guardOf(() => Promise.reject(new Error('not stored')));
    for (const [path, call] of functionsOf(behindBarrier(PORTS, refusing))) {
      called.length = 0;
      const reached = await Promise.resolve(call()).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (FREE.includes(path)) expect(called.length > 0 || path === 'clock.now').toBe(true);
      else expect([path, called, reached]).toEqual([path, [], new Error('not stored')]);
    }
  });

  it('passes the arguments of every call on once the execution is stored', async () => {
    const { barrier, asked } = barrierOf(() => Promise.resolve('applied'));
    const paths = functionsOf(behindBarrier(PORTS, guardOf(barrier)));
    for (const [, call] of paths) await Promise.resolve(call()).catch(() => undefined);
    expect(called).toEqual(paths.filter(([path]) => path !== 'clock.now').map(([path]) => `${path}(1)`));
    expect(asked()).toBe(1);
  });

  it('makes no call when another write has stored the execution', async () => {
    const { barrier, asked } = barrierOf(
      () => Promise.resolve('fenced'),
      () => true,
    );
    await barrier();
    expect(asked()).toBe(0);
  });

  it('blocks all calls until earlier side effects are stored', async () => {
    const order: string[] = [];
    const { barrier } = barrierOf(
      () => Promise.resolve('applied'),
      () => true,
      () => Promise.resolve().then(() => void order.push('stored')),
    );
    await behindBarrier(PORTS, guardOf(barrier))
      .http.request(REQUEST)
      .catch(() => order.push(...called));
    expect(order).toEqual(['stored', 'http.request(1)']);
  });

  it('sends no streamed request until earlier side effects are stored, and awaits each of its chunks', async () => {
    const order: string[] = [];
    const { barrier } = barrierOf(
      () => Promise.resolve('applied'),
      () => true,
      () => Promise.resolve().then(() => void order.push('stored')),
    );
    async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Buffer.from('a');
      yield Buffer.from('b');
    }
    const stream = async (): Promise<OutboundStream> => {
      order.push('sent');
      return {
        ...{ status: 200, statusText: '', headers: {}, url: 'http://x', cancel: () => undefined },
        chunks: { [Symbol.asyncIterator]: chunks },
      };
    };
    const guard: PortGuard = {
      barrier,
      whileWaiting: (work) => {
        order.push('waits');
        return work();
      },
      onResponse: () => void order.push('runs'),
    };
    const response = await behindBarrier({ ...PORTS, streams: { stream } }, guard).streams.stream(REQUEST);
    expect(order).toEqual(['stored', 'waits', 'sent', 'runs']);
    for await (const chunk of response.chunks) order.push(Buffer.from(chunk).toString());
    expect(order.slice(4)).toEqual(['waits', 'runs', 'a', 'waits', 'runs', 'b', 'waits', 'runs']);
  });

  it('ends an aborted run, and blocks all of its calls', async () => {
    const { held, barrier } = barrierOf(() => Promise.resolve('fenced'));
    await expect(barrier()).rejects.toThrow('taken away');
    await expect(barrier()).rejects.toThrow('taken away');
    expect(held.signal.reason).toBe('lost');
  });

  it('reports possible side effects once the run is stored, and not before', async () => {
    const noted: string[] = [];
    const held = {
      abort: () => undefined,
      mayHaveActed: () => noted.push('may have acted'),
      whenHeld: () => Promise.resolve(void noted.push('still held')),
      signal: new AbortController().signal,
    };
    const barrier = createBarrier({
      isStored: () => false,
      persist: () => Promise.resolve(noted.push('stored')).then(() => 'applied'),
      flush: () => Promise.resolve(void noted.push('let through')),
      held,
    });
    await barrier();
    expect(noted).toEqual(['stored', 'may have acted', 'let through', 'still held']);
  });

  it('blocks the next call of a run if another runner has it by the time earlier effects are stored', async () => {
    const { held, barrier } = barrierOf(
      () => Promise.resolve('applied'),
      () => true,
      () => Promise.resolve(held.abort('lost')),
    );
    await expect(behindBarrier(PORTS, guardOf(barrier)).http.request(REQUEST)).rejects.toThrow('taken away');
    expect(called).toEqual([]);
  });

  it('blocks the calls of a run whose lease has run out until a heartbeat was accepted', async () => {
    let now = 0;
    const held = createHeldExecutions(() => now).hold('e', 1, 30_000, 0);
    const barrier = createBarrier({
      isStored: () => true,
      persist: () => Promise.resolve('applied'),
      flush: () => Promise.resolve(),
      held,
    });
    now = 30_000;
    let hasPassed = false;
    const passing = barrier().then(() => (hasPassed = true));
    await Promise.resolve();
    expect(hasPassed).toBe(false);
    held.renew(now);
    await passing;
    now = 60_000;
    const refused = barrier();
    held.abort('lost');
    await expect(refused).rejects.toThrow('taken away');
  });

  it('blocks all calls when it is unknown whether the execution is stored', async () => {
    const { barrier } = barrierOf(() => Promise.reject(new Error('away')));
    const ports = behindBarrier(PORTS, guardOf(barrier));
    await expect(ports.http.request(REQUEST)).rejects.toThrow('away');
    expect(called).toEqual([]);
  });
});
