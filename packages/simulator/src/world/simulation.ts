import type { SimulatedBroker } from '../network/broker';
import type { SimulatedCalls } from '../network/calls';
import type { SimulatedService } from '../network/endpoints';
import type { Children } from './children';
import type { Target } from '../workload/target';

/** The options that a service passes to its gRPC server. */
export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly SimulatedService[];
}

/** Everything outside the processes of the services. */
export interface Simulation {
  readonly calls: SimulatedCalls;
  readonly broker: SimulatedBroker;
  readonly target: Target;
  readonly children: Children;
  readonly startServer: (options: ServerOptions) => Promise<object>;
  readonly connectDatabase: () => Promise<object>;
}

let current: Simulation | undefined;

export const useSimulation = (next: Simulation): void => {
  current = next;
};

/** The simulation of the current seed. @throws Error outside a simulation */
export const simulation = (): Simulation => {
  if (current === undefined) throw new Error('No simulation is running.');
  return current;
};
