import type { CallContext, ServiceDefinition } from '@weft/service-kit/grpc';
import type { SimulatedProcess } from '../time/simulated-process';

/** A handler with erased message types. */
export type Handler = (request: unknown, context: CallContext) => Promise<unknown> | AsyncIterable<unknown>;

/** A bound service of the simulation. */
export interface SimulatedService {
  readonly definition: ServiceDefinition;
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Called with the id of a process whose connections have broken. */
  readonly onLost?: (processId: string) => void;
  readonly leave?: () => void;
}

/** A listening process. */
export interface Endpoint {
  readonly address: string;
  readonly process: SimulatedProcess;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly onLost: (processId: string) => void;
  isDraining: boolean;
}

/** The processes that listen, by their addresses. */
export class Endpoints {
  readonly #byAddress = new Map<string, Endpoint>();

  listen(address: string, process: SimulatedProcess, services: readonly SimulatedService[]): Endpoint {
    const handlers = new Map<string, Handler>();
    for (const { definition, handlers: own } of services)
      for (const [name, { path }] of Object.entries(definition)) {
        const handler = own[name];
        if (handler !== undefined) handlers.set(path, handler);
      }
    const losses = services.flatMap(({ onLost }) => onLost ?? []);
    const endpoint: Endpoint = {
      address,
      process,
      handlers,
      onLost: (processId) => losses.forEach((lost) => lost(processId)),
      isDraining: false,
    };
    this.#byAddress.set(address, endpoint);
    return endpoint;
  }

  close(endpoint: Endpoint): void {
    if (this.#byAddress.get(endpoint.address) === endpoint) this.#byAddress.delete(endpoint.address);
  }

  /** Endpoints of a target that accept connections. */
  at(target: string): Endpoint[] {
    const [, list = ''] = /^ipv4:(.*)$/.exec(target) ?? [];
    return list.split(',').flatMap((address) => {
      const found = this.#byAddress.get(address);
      return found?.process.isAlive === true && !found.isDraining ? [found] : [];
    });
  }
}
