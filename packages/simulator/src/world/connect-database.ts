import type { SendCommand } from '../store/driver';
import { openConnection } from '../store/driver';
import { currentProcess } from '../time/simulated-process';
import { loadModule } from './modules';

interface StoreClockModule {
  readonly createStoreClock: () => {
    readonly note: (storeMs: number, atMs: number) => void;
    readonly now: () => number;
  };
}

interface StoreErrorsModule {
  readonly addProbe: (probe: () => Promise<boolean>) => () => void;
}

/** Interval of the driver's heartbeat, in milliseconds. */
const HEARTBEAT_MS = 5_000;

/**
 * The replacement of `connectDatabase`: the clock of the store, the probes and mongoose are the real ones, over
 * commands to the store in memory.
 */
export const connectDatabase = async (send: SendCommand): Promise<object> => {
  const { createStoreClock } = loadModule<StoreClockModule>('packages/service-kit', 'mongo/store-clock');
  const { addProbe } = loadModule<StoreErrorsModule>('packages/service-kit', 'mongo/store-errors');
  const connection = openConnection(send);
  const clock = createStoreClock();
  const read = async (): Promise<void> => {
    const sentAt = performance.now();
    const { localTime } = await send({ hello: 1 });
    if (localTime instanceof Date) clock.note(localTime.getTime(), (sentAt + performance.now()) / 2);
  };
  await read();
  const heartbeat = setInterval(() => void read().catch(() => undefined), HEARTBEAT_MS);
  const answers = async (command: Parameters<SendCommand>[0]): Promise<boolean> => {
    try {
      await send(command);
      return true;
    } catch {
      return false;
    }
  };
  const isReady = (): Promise<boolean> => answers({ ping: 1 });
  const owner = currentProcess();
  const answersReads = (): Promise<boolean> =>
    answers({ find: 'replicas', filter: {}, limit: 1, projection: { _id: 1 } });
  // The probes of all simulated processes are in one list: each process uses its own.
  const removeProbe = addProbe(async () => currentProcess() !== owner || ((await isReady()) && answersReads()));
  return {
    connection,
    isReady,
    now: clock.now,
    close: () => {
      clearInterval(heartbeat);
      removeProbe();
      return Promise.resolve();
    },
  };
};
