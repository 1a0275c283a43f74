/** What the repair of the driver touches; the driver publishes no types for it. */
declare module 'mongodb/lib/cmap/connection' {
  import type { EventEmitter } from 'node:events';

  export class Connection {
    /** A number, or `<monitor>` for the connection that watches the server. */
    readonly id: number | string;
    readonly closed: boolean;
    readonly socket: EventEmitter & { destroy(): void };
    cleanup(error: Error): void;
    command(...values: unknown[]): Promise<unknown>;
  }
}
