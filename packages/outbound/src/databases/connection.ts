import { type TLSSocket, connect as connectTls } from 'node:tls';
import { isIP } from 'node:net';
import { startDeadline } from '../deadline';
import { describeFailure, systemFailure } from '../describe-failure';
import type { OpenSocket } from '../mail/mail-sender';
import { OutboundError } from '../outbound-http';
import { DatabaseFailed, type DatabaseTls, type QueryBounds, QueryTooLarge } from './databases';
import { MeteredStream } from './metered-stream';

/** Host of a connection, and its bounds. */
export interface ConnectionPlan {
  readonly host: string;
  readonly port: number;
  readonly bounds: QueryBounds;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * A connection to a database with a limit of time and bytes for each step. Whatever ends it is what all steps from then
 * on fail with, in words for the owner of the workflow.
 */
export class DatabaseConnection {
  #ended: Error | undefined;
  /** Rejects when the connection is over. */
  readonly #over: Promise<never>;

  private constructor(
    private readonly plan: ConnectionPlan,
    readonly stream: MeteredStream,
  ) {
    const onAbort = (): void => this.end(new OutboundError('ABORTED', 'The query was given up because the run ended.'));
    plan.signal.addEventListener('abort', onAbort, { once: true });
    stream.on('error', (error) => (this.#ended ??= error));
    this.#over = new Promise((_, reject) => {
      stream.once('close', () => {
        plan.signal.removeEventListener('abort', onAbort);
        // the client may know more about the end, such as a certificate that it does not accept
        setImmediate(() => reject((this.#ended ??= lost(plan.host))));
      });
    });
    this.#over.catch(() => undefined);
    if (plan.signal.aborted) onAbort();
  }

  /** Opens the connection. Rejects with OutboundError. */
  static async open(openSocket: OpenSocket, plan: ConnectionPlan): Promise<DatabaseConnection> {
    const deadline = startDeadline(plan.bounds.connectMs, plan.signal);
    try {
      const socket = await openSocket(plan.host, plan.port, deadline.signal);
      return new DatabaseConnection(
        plan,
        new MeteredStream(
          socket.on('error', () => undefined),
          plan.bounds.maxBytes,
        ),
      );
    } catch (error) {
      throw describeFailure(error, plan.host, deadline);
    } finally {
      deadline.end();
    }
  }

  /**
   * Does one step within `ms` milliseconds and the bytes of one query. Rejects with what ended the connection, or with
   * what the step says.
   * @param what subject of the sentence that names the time limit
   */
  async step<Result>(ms: number, what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#ended !== undefined) throw this.#ended;
    this.stream.allow(this.plan.bounds.maxBytes);
    const timer = setTimeout(
      () =>
        this.end(
          new OutboundError('TIMEOUT', `${what} took longer than ${ms} ms (host "${this.plan.host}").`, 'ETIMEDOUT'),
        ),
      ms,
    );
    try {
      return await Promise.race([work(), this.#over]);
    } catch (error) {
      throw this.#reason(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connects and logs in. */
  login<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.step(this.plan.bounds.connectMs, 'The login to the database', work);
  }

  /** Runs one query. */
  query<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.step(this.plan.bounds.queryMs, 'The query', work);
  }

  /** Upgrades the stream to TLS. */
  async secure(tls: DatabaseTls): Promise<TLSSocket> {
    const { host } = this.plan;
    const secured = connectTls({
      ...tls,
      socket: this.stream,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    await new Promise<void>((resolve, reject) => {
      secured.once('secureConnect', resolve).once('error', reject);
    });
    return secured.on('error', (error) => this.end(error));
  }

  /** Ends the connection; the first reason counts. */
  end(reason: Error = lost(this.plan.host)): void {
    this.#ended ??= reason;
    this.stream.destroy();
  }

  /** A deadline or a bound shows up as a broken connection in clients; what the server says counts otherwise. */
  #reason(error: unknown): unknown {
    const { host } = this.plan;
    if (this.#ended instanceof OutboundError || this.#ended instanceof QueryTooLarge) return this.#ended;
    if (error instanceof DatabaseFailed || error instanceof OutboundError) return error;
    return systemFailure(this.#ended ?? error, host) ?? error;
  }
}

function lost(host: string): OutboundError {
  return new OutboundError('CONNECTION_LOST', `The database closed the connection (host "${host}").`, 'ECONNRESET');
}
