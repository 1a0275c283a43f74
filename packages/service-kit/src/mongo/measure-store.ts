import type { Connection } from 'mongoose';
import { Gauge } from 'prom-client';
import { startLoop, type Loop } from '../lifecycle';
import type { Logger } from '../logging';
import { registry } from '../metrics';

const bytes = new Gauge({
  name: 'weft_store_bytes',
  help: 'Bytes of a collection and its indexes in the store, read every 5 minutes by one replica.',
  labelNames: ['collection'],
  registers: [registry],
});

export interface MeasureOptions {
  readonly connection: Connection;
  /** True if this replica does the measuring. */
  readonly isMine: () => boolean;
  readonly logger: Logger;
}

/** Interval at which the loop checks whether this replica measures, and the measuring interval, in milliseconds. */
const LOOK_MS = 15_000;
const MEASURE_MS = 300_000;
/** Maximum number of collections shown. A service has fewer. */
const MAX_COLLECTIONS = 15;

const sizeOf = async (connection: Connection, collection: string): Promise<number> => {
  const stats = await connection.db?.command({ collStats: collection });
  return Number(stats?.['storageSize'] ?? 0) + Number(stats?.['totalIndexSize'] ?? 0);
};

/** Starts measuring the collections of a service. */
export const startMeasuringStore = ({ connection, isMine, logger }: MeasureOptions): Loop => {
  let measuredAt = Number.NEGATIVE_INFINITY;
  return startLoop({
    name: 'measure-store',
    everyMs: LOOK_MS,
    logger,
    tick: async () => {
      if (!isMine()) {
        measuredAt = Number.NEGATIVE_INFINITY;
        bytes.reset();
        return;
      }
      if (performance.now() - measuredAt < MEASURE_MS) return;
      const found = (await connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
      const names = found.map(({ name }) => name).sort();
      for (const name of names.slice(0, MAX_COLLECTIONS))
        bytes.set({ collection: name }, await sizeOf(connection, name));
      measuredAt = performance.now();
    },
  });
};
