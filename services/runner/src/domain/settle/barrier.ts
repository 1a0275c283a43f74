import type { NodePorts } from '@weft/engine';
import type { WriteOutcome } from '../claims/claimed-execution';
import type { Held } from '../claims/held-executions';

/**
 * Resolves when the execution is durable, and what it did outside before: until then a run does nothing that anyone
 * could notice.
 * @throws if it never will be: the run is over then
 */
export type Barrier = () => Promise<void>;

/** Parts of a barrier. */
export interface BarrierParts {
  /** True once the execution is known to be durable. */
  readonly isStored: () => boolean;
  /** Makes it durable. */
  readonly persist: () => Promise<WriteOutcome>;
  /** Stores what nodes did outside before. */
  readonly flush: () => Promise<void>;
  readonly held: Pick<Held, 'abort' | 'mayHaveActed'>;
}

/** The run was taken away before it could act. */
export class RunTakenAway extends Error {
  constructor() {
    super('The run was taken away from this runner.');
    this.name = 'RunTakenAway';
  }
}

/** The barrier of one run: asked once for its durability, whoever comes to it. */
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
  };
};

/**
 * Ports that nobody outside the run sees: what they do happens again if the run begins anew. To respond is a write of
 * its own, which makes the execution durable.
 */
const FREE: ReadonlySet<PropertyKey> = new Set<keyof NodePorts>(['clock', 'code', 'formats', 'respond']);

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown => typeof value === 'function';

const behind = (value: unknown, owner: object, barrier: Barrier): unknown => {
  if (isFunction(value))
    return async (...parameters: unknown[]): Promise<unknown> => {
      await barrier();
      return Reflect.apply(value, owner, parameters);
    };
  return typeof value === 'object' && value !== null ? withMembersBehind(value, barrier) : value;
};

const withMembersBehind = (port: object, barrier: Barrier): object =>
  new Proxy(port, { get: (target, name) => behind(Reflect.get(target, name), target, barrier) });

/** The ports of a run behind its barrier: all but those that are named as free, also ports that are yet to come. */
export const behindBarrier = (ports: NodePorts, barrier: Barrier): NodePorts =>
  new Proxy(ports, {
    get: (target, name): unknown => {
      const port: unknown = Reflect.get(target, name);
      return FREE.has(name) ? port : behind(port, target, barrier);
    },
  });
