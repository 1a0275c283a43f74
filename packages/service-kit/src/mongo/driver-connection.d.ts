/** Internals of the driver used by the workaround in repair-driver.ts; the driver publishes no types for them. */
declare module 'mongodb/lib/cmap/connection' {
  import type { EventEmitter } from 'node:events';

  export class Connection {
    /** A number, or `<monitor>` for the heartbeat connection. */
    readonly id: number | string;
    readonly closed: boolean;
    readonly socket: EventEmitter & { destroy(): void };
    cleanup(error: Error): void;
    command(...values: unknown[]): Promise<unknown>;
  }
}

declare module 'mongodb/lib/cmap/connection_pool' {
  export class ConnectionPool {
    /** The next look at the size of the pool. */
    minPoolSizeTimer: NodeJS.Timeout | undefined;
    ensureMinPoolSize(): void;
  }
}
