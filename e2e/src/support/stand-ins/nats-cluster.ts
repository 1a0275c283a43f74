import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNats, findPlaces, freePorts, Ledger, NatsServer } from '@weft/local-stack';

/** Place of one server in a cluster, for its configuration. */
export interface NatsPlace {
  readonly index: number;
  /** Ports on which the servers find each other, by their index. */
  readonly routes: readonly number[];
}

/** Three NATS servers on this machine, and their ports. */
export interface NatsCluster {
  readonly servers: readonly NatsServer[];
  readonly ports: readonly number[];
}

const SIZE = 3;

/** Starts three NATS servers with these configurations; data and logs are in `data-N` of the folder. */
export const startNatsCluster = async (
  folder: string,
  configOf: (place: NatsPlace) => string,
): Promise<NatsCluster> => {
  const free = await freePorts(2 * SIZE);
  const ports = free.slice(0, SIZE);
  const routes = free.slice(SIZE);
  const program = await findNats(findPlaces(process.env).cache, () => undefined);
  mkdirSync(join(folder, 'nats'), { recursive: true });
  const start = (port: number, index: number): Promise<NatsServer> => {
    const configFile = join(folder, 'nats', `${index}.conf`);
    writeFileSync(configFile, configOf({ index, routes }));
    const ledger = new Ledger(join(folder, `run-${index}`));
    return NatsServer.start({ program, port, data: join(folder, `data-${index}`), ledger, configFile });
  };
  return { servers: await Promise.all(ports.map(start)), ports };
};
