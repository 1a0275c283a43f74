import type { Ledger } from '../processes/ledger';
import type { ManagedProcess } from '../processes/managed-process';
import type { Report } from '../errors';

/** Settings of a MongoDB that the project starts. */
export interface MongodbPlan {
  /** Cache folder of built or downloaded files. */
  readonly cache: string;
  /** Data folder of the stack: the database is in `mongodb` below it, logs in `logs`. */
  readonly data: string;
  /** Port of 127.0.0.1. */
  readonly port: number;
  /** The data is not needed after a loss of power; it survives the end of its processes anyway. */
  readonly isThrowaway?: boolean;
  readonly ledger: Ledger;
  readonly report: Report;
}

/** A MongoDB that answers. */
export interface MongodbServer {
  /** Its connection string, without a database name. */
  readonly uri: string;
  /** Its processes in the order they were started; none if it is external. */
  readonly processes: readonly ManagedProcess[];
  /** Kills it with SIGKILL and returns when it has ended. @throws Error if it is external */
  crash(): Promise<void>;
  /** Starts it again on the same port with its stored data. @throws Error if it is external */
  startAgain(): Promise<void>;
  /** Stops it and returns when it has ended; an external one keeps running. */
  stop(): Promise<void>;
}

/** One start of a MongoDB: its processes, the one that listens last. */
export interface MongodbRun {
  readonly processes: readonly ManagedProcess[];
}

/**
 * A MongoDB that can be killed and started again.
 * @param start starts its processes and returns when it answers; called for each start.
 */
export async function restartableMongodb(uri: string, start: () => Promise<MongodbRun>): Promise<MongodbServer> {
  let current = await start();
  const lastFirst = (): readonly ManagedProcess[] => [...current.processes].reverse();
  return {
    uri,
    get processes() {
      return current.processes;
    },
    crash: async () => {
      for (const each of lastFirst()) each.kill('SIGKILL');
      await Promise.all(current.processes.map((each) => each.ended));
    },
    startAgain: async () => {
      current = await start();
    },
    stop: async () => {
      for (const each of lastFirst()) await each.stop();
    },
  };
}
