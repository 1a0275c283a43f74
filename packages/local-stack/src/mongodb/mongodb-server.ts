import type { Ledger } from '../processes/ledger';
import type { ManagedProcess } from '../processes/managed-process';
import type { Report } from '../errors';

/** Where and how a MongoDB of our own runs. */
export interface MongodbPlan {
  /** Cache folder with what was built or downloaded. */
  readonly cache: string;
  /** Data folder of the stack: the database lies in `mongodb` below it, logs in `logs`. */
  readonly data: string;
  /** Port of 127.0.0.1. */
  readonly port: number;
  readonly ledger: Ledger;
  readonly report: Report;
}

/** A MongoDB that answers. */
export interface MongodbServer {
  /** Its connection string, without a database name. */
  readonly uri: string;
  /** Its processes in the order they were started; none if it is somebody else's. */
  readonly processes: readonly ManagedProcess[];
  /** Stops it and returns when it is gone; somebody else's is left alone. */
  stop(): Promise<void>;
}
