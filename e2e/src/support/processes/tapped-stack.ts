import { startProxy, startStack, type Proxy, type ServiceName, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';

/** A piece of the data that one process sends to another. */
export interface Passage {
  /** The process that opened the connection. Of those to `executions` by runners, any of them. */
  readonly from: { readonly service: ServiceName; readonly index: number };
  readonly to: { readonly name: string; readonly index: number };
  /** Sent by `to`. */
  readonly isAnswer: boolean;
  readonly text: string;
}

/** A passage that a test waits for on the links of a stack. */
export interface Sight {
  /** The first passage that matches. */
  readonly seen: Promise<Passage>;
  /** Passes on what was held since then. */
  readonly release: () => void;
  /** Cuts the connections of that link, so that what was held never arrives. */
  readonly lose: () => void;
}

/**
 * The treatment of a passage. `hold`: it and what follows in its direction arrive only when it is released.
 * `lose-answers`: it arrives, and no answer on its link does.
 */
export type AtSight = 'pass' | 'hold' | 'lose-answers';

/** An execution that was offered to a runner before it was stored. */
export interface Offer {
  readonly executionId: string;
  /** Numbers of the replica that holds it and of the runner that is asked. */
  readonly replica: number;
  readonly runner: number;
}

/** Fields of a stored execution. */
export interface StoredExecution {
  readonly _id: string;
  readonly workflowId: string;
  readonly state: string;
  readonly fence: number;
  readonly crashes: number;
  readonly lease?: { readonly ms?: number; readonly waits?: boolean };
  readonly idempotencyKey?: string;
}

/**
 * A stack of two gateways, two replicas of executions and two runners, with a proxy on each link between them and on
 * those to the database and the broker, so that a test can stop everything at one message.
 */
export interface TappedStack {
  readonly stack: Stack;
  /** Called with every offer, before its runner has it. */
  onOffer: (offer: Offer) => void;
  /** Waits for a passage. */
  readonly watch: (is: (passage: Passage) => boolean, atSight?: AtSight) => Sight;
  /** The links of runners to a replica of executions. */
  readonly runnersTo: (replica: number) => Proxy;
  /** The link of a runner to the broker. */
  readonly brokerOf: (runner: number) => Proxy;
  readonly find: (filter: object) => Promise<StoredExecution[]>;
  /** Ends all watches, passes on what they hold, and restarts killed processes. */
  readonly heal: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Watch {
  readonly is: (passage: Passage) => boolean;
  readonly isHeld: boolean;
  readonly see: (passage: Passage, proxy: Proxy) => void;
}

const OFFER = /127\.0\.0\.1:(\d+) awaited ([0-9a-f-]{36})/;

/** The links that tests look at. */
const TAPPED: Partial<Record<ServiceName, readonly string[]>> = {
  gateway: ['executions'],
  executions: ['mongodb'],
  runner: ['nats', 'executions'],
};

/** Request timeout of the second gateway, in milliseconds: for callers whose wait is to time out. */
const SHORT_LIMIT_MS = '8000';

/** Starts the stack. `env`: variables of the replicas of executions. */
export const startTappedStack = async (env: Readonly<Record<string, string>>): Promise<TappedStack> => {
  const proxies = new Map<string, Promise<Proxy>>();
  const ports = new Map<number, number>();
  const watches = new Set<Watch>();
  let onOffer: TappedStack['onOffer'] = () => undefined;

  const look = (passage: Passage, proxy: Proxy): boolean => {
    const [, port, executionId = ''] = (passage.to.name === 'nats' && OFFER.exec(passage.text)) || [];
    const replica = ports.get(Number(port));
    if (replica !== undefined && passage.isAnswer) onOffer({ executionId, replica, runner: passage.from.index });
    const found = [...watches].filter(({ is }) => is(passage));
    for (const each of found) {
      watches.delete(each);
      each.see(passage, proxy);
    }
    return found.some(({ isHeld }) => isHeld);
  };
  const tapped = (key: string, from: Passage['from'], to: Passage['to'], port: number): Promise<Proxy> => {
    const known = proxies.get(key);
    if (known !== undefined) return known;
    const made = startProxy(port).then((proxy) => {
      proxy.setTap((piece, isAnswer) => look({ from, to, isAnswer, text: piece.toString('latin1') }, proxy));
      return proxy;
    });
    proxies.set(key, made);
    return made;
  };
  const toReplica = async (index: number, port: number): Promise<Proxy> => {
    const proxy = await tapped(
      `replica ${index}`,
      { service: 'runner', index: 0 },
      { name: 'executions', index },
      port,
    );
    ports.set(proxy.port, index);
    return proxy;
  };
  const stack = await startStack({
    replicas: { gateway: 2, executions: 2, runner: 2 },
    env: {
      executions: env,
      credentials: { RATE_LIMIT_PER_MINUTE: '0' },
      runner: { OUTBOUND_ALLOW: '127.0.0.1' },
    },
    // A replica offers the address at which runners reach it through the one proxy that they share.
    envOf: (service, index) => {
      if (service === 'gateway' && index === 1) return { REQUEST_TIME_LIMIT_MS: SHORT_LIMIT_MS };
      const [port] = [...ports].find(([, replica]) => replica === index) ?? [];
      return service === 'executions' ? { ADVERTISE: `127.0.0.1:${port ?? 0}` } : {};
    },
    reach: async ({ from, to }) => {
      if (from.service === 'executions' && to.name === 'executions') return (await toReplica(to.index, to.port)).port;
      if (TAPPED[from.service]?.includes(to.name) !== true) return to.port;
      if (from.service === 'runner' && to.name === 'executions') return (await toReplica(to.index, to.port)).port;
      return (await tapped(`${from.service} ${from.index} ${to.name} ${to.index}`, from, to, to.port)).port;
    },
  });
  const byKey = new Map(await Promise.all([...proxies].map(async ([key, proxy]) => [key, await proxy] as const)));
  const proxyAt = (key: string): Proxy => {
    const found = byKey.get(key);
    if (found === undefined) throw new Error(`There is no link ${key}.`);
    return found;
  };
  const store = await mongoose
    .createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` })
    .asPromise();
  const pass = (): void => {
    watches.clear();
    for (const each of byKey.values()) {
      each.release();
      each.setMode({ kind: 'pass' });
    }
  };
  return {
    stack,
    get onOffer() {
      return onOffer;
    },
    set onOffer(next) {
      onOffer = next;
    },
    watch: (is, atSight = 'pass') => {
      const { promise, resolve } = Promise.withResolvers<Passage>();
      let link: Proxy | undefined;
      const see: Watch['see'] = (passage, proxy) => {
        link = proxy;
        if (atSight === 'lose-answers') proxy.setMode({ kind: 'lose-answers' });
        resolve(passage);
      };
      const one: Watch = { is, isHeld: atSight === 'hold', see };
      watches.add(one);
      const end = (): Proxy | undefined => {
        watches.delete(one);
        return link;
      };
      return { seen: promise, release: () => end()?.release(), lose: () => end()?.cut() };
    },
    runnersTo: (replica) => proxyAt(`replica ${replica}`),
    brokerOf: (runner) => proxyAt(`runner ${runner} nats 0`),
    find: (filter) => store.collection<StoredExecution>('executions').find(filter).toArray(),
    heal: async () => {
      pass();
      for (const each of stack.processes) each.kill('SIGCONT');
      await Promise.all(stack.processes.filter(({ hasEnded }) => hasEnded).map((each) => each.restart()));
    },
    stop: async () => {
      pass();
      await store.close();
      await stack.stop();
      for (const each of byKey.values()) each.close();
    },
  };
};
