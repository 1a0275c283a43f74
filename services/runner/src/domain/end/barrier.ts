import type { NodePorts } from '@weft/engine';
import type { OutboundStreams } from '@weft/outbound';
import type { WriteOutcome } from '../claims/claimed-execution';
import type { Held } from '../claims/held/held-executions';
import { observeStream } from '../streams/observe-stream';

/**
 * Resolves when the execution and its earlier side effects are durable and this runner still holds it: until then a run
 * must have no observable effects.
 * @throws if it will never be durable, or another runner may have it: the run has ended here then
 */
export type Barrier = () => Promise<void>;

/** Dependencies of a barrier. */
export interface BarrierParts {
  /** Whether the execution is known to be durable. */
  readonly isStored: () => boolean;
  /** Makes it durable. */
  readonly persist: () => Promise<WriteOutcome>;
  /** Stores earlier side effects of nodes. */
  readonly flush: () => Promise<void>;
  readonly held: Pick<Held, 'abort' | 'mayHaveActed' | 'signal' | 'whenHeld'>;
}

/** The run was aborted before it could have further side effects. */
export class RunTakenAway extends Error {
  constructor() {
    super('The run was taken away from this runner.');
    this.name = 'RunTakenAway';
  }
}

/** The barrier of one run: makes it durable once, and checks its claim, whenever it is called. */
export const createBarrier = ({ isStored, persist, flush, held }: BarrierParts): Barrier => {
  let passing: Promise<void> | undefined;
  const pass = async (): Promise<void> => {
    if ((await persist()) !== 'fenced') return held.mayHaveActed();
    held.abort('lost');
    throw new RunTakenAway();
  };
  return async () => {
    if (!isStored()) await (passing ??= pass());
    await flush();
    await held.whenHeld();
    if (held.signal.aborted) throw new RunTakenAway();
  };
};

/**
 * Ports without effects outside of the run: their calls are repeated if the run restarts. `respond` is a write, which
 * makes the execution durable; streamed text may reach its readers twice.
 */
const FREE: ReadonlySet<PropertyKey> = new Set<keyof NodePorts>(['clock', 'code', 'formats', 'respond', 'texts']);

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown => typeof value === 'function';

/** Dependencies of ports behind a barrier. */
export interface PortGuard {
  readonly barrier: Barrier;
  /** Awaits the response of a port. */
  readonly whileWaiting: Held['whileWaiting'];
  /** Called when a port has responded: the run has the thread again. */
  readonly onResponse: () => void;
}

const behind = (value: unknown, owner: object, guard: PortGuard): unknown => {
  if (isFunction(value))
    return async (...parameters: unknown[]): Promise<unknown> => {
      await guard.barrier();
      try {
        return await guard.whileWaiting(async () => Reflect.apply(value, owner, parameters));
      } finally {
        guard.onResponse();
      }
    };
  return typeof value === 'object' && value !== null ? withMembersBehind(value, guard) : value;
};

const withMembersBehind = (port: object, guard: PortGuard): object =>
  new Proxy(port, { get: (target, name) => behind(Reflect.get(target, name), target, guard) });

/** Streams behind the barrier, each of whose chunks is awaited like a response. */
const streamsBehind = (streams: OutboundStreams, { barrier, whileWaiting, onResponse }: PortGuard): OutboundStreams => {
  const awaiting = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await whileWaiting(work);
    } finally {
      onResponse();
    }
  };
  return {
    stream: async (request) => {
      await barrier();
      return observeStream(await awaiting(() => streams.stream(request)), { awaiting });
    },
  };
};

/** Free ports that respond later. */
const AWAITED: ReadonlySet<PropertyKey> = new Set<keyof NodePorts>(['code', 'formats']);

const withoutBarrier = ({ onResponse }: PortGuard): PortGuard => ({
  barrier: () => Promise.resolve(),
  whileWaiting: (work) => work(),
  onResponse,
});

/** Puts the ports of a run behind its barrier: all except those listed as free, including ports added in the future. */
export const behindBarrier = (ports: NodePorts, guard: PortGuard): NodePorts =>
  new Proxy(ports, {
    get: (target, name): unknown => {
      const port: unknown = Reflect.get(target, name);
      if (name === 'streams') return streamsBehind(target.streams, guard);
      if (AWAITED.has(name)) return behind(port, target, withoutBarrier(guard));
      return FREE.has(name) ? port : behind(port, target, guard);
    },
  });
