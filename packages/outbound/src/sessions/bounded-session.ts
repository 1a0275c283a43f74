import type { EventEmitter } from 'node:events';
import { OutboundError } from '../http/outbound-http';
import { systemFailure } from '../http/describe-failure';
import { RemoteFailed } from '../remote/remote-failure';
import { DatabaseFailed, type QueryBounds, QueryTooLarge, ResultRefused } from '../databases/databases';

/** Bounds of one session. */
export type SessionBounds = Pick<QueryBounds, 'connectMs' | 'queryMs' | 'maxBytes' | 'received'>;

/** Host of a session, and its bounds. */
export interface SessionPlan {
  readonly host: string;
  /** Name of the peer in messages; a database if absent. */
  readonly peer?: 'server';
  readonly bounds: SessionBounds;
  /** Ends the session. */
  readonly signal: AbortSignal;
}

/** Transport of a session. It emits `error` with the reason it broke for, and `close` once it is over. */
export interface Wire extends EventEmitter {
  /** Resets the byte count to the limit of one query. */
  allow(): void;
  destroy(): unknown;
}

/**
 * A session with a server, with a limit of time and bytes for each step. After its end, all further steps fail with the
 * reason, in words for the owner of the workflow.
 */
export class BoundedSession {
  #ended: Error | undefined;
  /** Rejects when the session is over. */
  readonly #over: Promise<never>;
  readonly #onAbort = (): void =>
    this.end(
      new OutboundError(
        'ABORTED',
        `${this.plan.peer === undefined ? 'The query' : 'The session'} was given up because the run ended.`,
      ),
    );

  constructor(
    private readonly plan: SessionPlan,
    private readonly wire: Wire,
  ) {
    plan.signal.addEventListener('abort', this.#onAbort, { once: true });
    wire.on('error', (error: Error) => (this.#ended ??= error));
    this.#over = new Promise((_, reject) => {
      wire.once('close', () => {
        this.#release();
        // the client may know more about the cause, such as a certificate that it rejects
        setImmediate(() => reject((this.#ended ??= lost(plan))));
      });
    });
    this.#over.catch(() => undefined);
    if (plan.signal.aborted) this.#onAbort();
  }

  /**
   * Does one step within `ms` milliseconds and the bytes of one query. Rejects with the reason the session ended, or
   * with the error of the step.
   * @param what subject of the sentence that names the time limit
   */
  async step<Result>(ms: number, what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#ended !== undefined) throw this.#ended;
    this.wire.allow();
    const timer = setTimeout(
      () =>
        this.end(
          new OutboundError('TIMEOUT', `${what} took longer than ${ms} ms (host "${this.plan.host}").`, 'ETIMEDOUT'),
        ),
      ms,
    );
    try {
      const result = await Promise.race([work(), this.#over]);
      // the result of a client whose connection was ended here is not valid
      if (isOurs(this.#ended)) throw this.#ended;
      return result;
    } catch (error) {
      throw this.#reason(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connects and logs in. */
  login<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.step(this.plan.bounds.connectMs, `The login to the ${this.plan.peer ?? 'database'}`, work);
  }

  /** Runs one query. */
  query<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.step(this.plan.bounds.queryMs, 'The query', work);
  }

  /** Ends the session; the first reason counts. */
  end(reason: Error = lost(this.plan)): void {
    this.#ended ??= reason;
    // a client that closes the connection may remove the listeners, which hides its end
    this.#release();
    this.wire.destroy();
  }

  /** The signal lives as long as the run, which may have many sessions. */
  #release(): void {
    this.plan.signal.removeEventListener('abort', this.#onAbort);
  }

  /** A deadline or a limit shows up as a broken connection in clients; otherwise the server's error applies. */
  #reason(error: unknown): unknown {
    const { host } = this.plan;
    if (isOurs(this.#ended)) return this.#ended;
    if ([DatabaseFailed, RemoteFailed, OutboundError].some((kind) => error instanceof kind)) return error;
    return systemFailure(this.#ended ?? error, host) ?? error;
  }
}

/** True for errors with which this side ends a session. */
function isOurs(ended: Error | undefined): ended is Error {
  return ended instanceof OutboundError || ended instanceof QueryTooLarge || ended instanceof ResultRefused;
}

function lost({ host, peer }: SessionPlan): OutboundError {
  return new OutboundError(
    'CONNECTION_LOST',
    `The ${peer ?? 'database'} closed the connection (host "${host}").`,
    'ECONNRESET',
  );
}
