import { isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { startDeadline } from '../http/deadline';
import { describeFailure } from '../http/describe-failure';
import type { OpenSocket } from '../mail/mail-sender';
import { BoundedSession, type SessionPlan } from './bounded-session';
import { ByteMeter } from './byte-meter';
import type { DatabaseTls } from '../databases/databases';
import { MeteredStream } from './metered-stream';

/** Host of a connection, and its bounds. */
export interface ConnectionPlan extends SessionPlan {
  readonly port: number;
}

/** A session that has one connection. */
export class ServerConnection extends BoundedSession {
  private constructor(
    private readonly server: ConnectionPlan,
    readonly stream: MeteredStream,
  ) {
    super(server, stream);
  }

  /** Opens the connection. Rejects with OutboundError. */
  static async open(openSocket: OpenSocket, plan: ConnectionPlan): Promise<ServerConnection> {
    const deadline = startDeadline(plan.bounds.connectMs, plan.signal);
    try {
      const socket = await openSocket(plan.host, plan.port, deadline.signal);
      return new ServerConnection(
        plan,
        new MeteredStream(
          socket.on('error', () => undefined),
          new ByteMeter(plan.bounds),
        ),
      );
    } catch (error) {
      throw describeFailure(error, plan.host, deadline);
    } finally {
      deadline.end();
    }
  }

  /** Upgrades the stream to TLS. */
  async secure(tls: DatabaseTls): Promise<TLSSocket> {
    const { host } = this.server;
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
}
