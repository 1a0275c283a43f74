import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { SandboxChild } from '../process/sandbox-child';
import { SealUnavailable } from '../seal-unavailable';
import { START_MS } from '../pools/limits';
import { type FromForkServer, isForkMessage, type ToForkServer } from './fork-messages';

/** Timeout for reporting the end of a child that was told to end. */
const END_MS = 5_000;

/** A child that was requested. */
interface Asked {
  readonly server: ChildProcess;
  readonly forked: (child: SandboxChild) => void;
  readonly failed: (reason: Error) => void;
  /** Resolves the child's `ended`. */
  readonly ended: (signal: NodeJS.Signals | null) => void;
  readonly whenEnded: Promise<NodeJS.Signals | null>;
}

/**
 * Starts processes as copies of one that has loaded everything. A copy takes a few milliseconds and shares memory until
 * it changes it. The server starts on first use, and again if it has ended; its children end with it.
 */
export class ForkServer {
  readonly #spawn: () => ChildProcess;
  readonly #startMs: number;
  readonly #asked = new Map<number, Asked>();
  #server: ChildProcess | undefined;
  #lastId = 0;

  /**
   * @param spawn starts a program that calls `serveForks`, with a Node IPC channel
   * @param startMs timeout for starting a child. The server loads everything shared before the first one
   */
  constructor(spawn: () => ChildProcess, startMs = START_MS) {
    this.#spawn = spawn;
    this.#startMs = startMs;
  }

  /** Starts a process. @throws Error if it cannot be started; SealUnavailable if it could not be sealed */
  fork(): Promise<SandboxChild> {
    const server = (this.#server ??= this.#start());
    const id = (this.#lastId += 1);
    return new Promise((forked, failed) => {
      const { promise: whenEnded, resolve: ended } = Promise.withResolvers<NodeJS.Signals | null>();
      const timer = setTimeout(() => server.kill('SIGKILL'), this.#startMs);
      const settled = <Value>(settle: (value: Value) => void) => {
        return (value: Value): void => {
          clearTimeout(timer);
          settle(value);
        };
      };
      this.#asked.set(id, { server, forked: settled(forked), failed: settled(failed), ended, whenEnded });
      this.#send(server, { kind: 'fork', id });
    });
  }

  /** Process id of the server; undefined if it is not running. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Ends the server and all of its children. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server?.kill('SIGKILL') === true) await once(server, 'exit');
  }

  #start(): ChildProcess {
    const server = this.#spawn();
    const onGone = (): void => {
      if (this.#server === server) this.#server = undefined;
      for (const [id, asked] of this.#asked) {
        if (asked.server !== server) continue;
        this.#asked.delete(id);
        asked.failed(new Error('The process that starts sandboxes has ended.'));
        asked.ended(null);
      }
    };
    server.on('message', (message, channel) => {
      if (isForkMessage<FromForkServer>(message)) this.#take(message, channel);
    });
    server.on('error', onGone);
    server.once('exit', onGone);
    return server;
  }

  #take(message: FromForkServer, channel: unknown): void {
    const asked = this.#asked.get(message.id);
    if (asked === undefined) return;
    switch (message.kind) {
      case 'forked':
        if (channel instanceof Socket) return asked.forked(this.#childOf(message, channel, asked));
        // The channel was lost in transit, and so is the child.
        this.#send(asked.server, { kind: 'kill', id: message.id });
        return asked.failed(new Error('The channel of a sandbox was lost.'));
      case 'failed':
        this.#asked.delete(message.id);
        return asked.failed(new Error(message.reason));
      case 'unsealed':
        this.#asked.delete(message.id);
        return asked.failed(new SealUnavailable(message.reason));
      case 'ended':
        this.#asked.delete(message.id);
        return asked.ended(message.signal);
    }
  }

  #childOf(
    { id, pid }: Extract<FromForkServer, { kind: 'forked' }>,
    channel: Socket,
    { server, whenEnded }: Asked,
  ): SandboxChild {
    const kill = (): void => this.#send(server, { kind: 'kill', id });
    const isRead = new Promise<void>((resolve) => channel.once('close', () => resolve()));
    // `close` reports its end.
    channel.on('error', () => undefined);
    void isRead.then(() => {
      // It may have closed its channel and kept running.
      kill();
      const timer = setTimeout(() => server.kill('SIGKILL'), END_MS);
      void whenEnded.then(() => clearTimeout(timer));
    });
    return {
      pid,
      isCopy: true,
      input: channel,
      output: channel,
      kill,
      ended: Promise.all([whenEnded, isRead]).then(([signal]) => signal),
    };
  }

  /** If sending fails, the end of the server answers the request. */
  #send(server: ChildProcess, message: ToForkServer): void {
    if (server.connected) server.send(message, () => undefined);
  }
}
