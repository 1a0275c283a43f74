import type { NodePorts } from '@weft/engine';
import {
  createDatabases,
  createMailSender,
  createRemoteServers,
  MAIL_BOUNDS,
  type MailBounds,
  type OutboundClient,
  type QueryBounds,
  type RemoteBounds,
} from '@weft/outbound';

/** The real clients of a node, with time limits short enough for a test. */
export interface ImpatientPorts {
  readonly ports: Pick<NodePorts, 'http' | 'mail' | 'databases' | 'remote' | 'streams'>;
  /** The original limits of the node and its clients, in milliseconds. */
  readonly asked: readonly number[];
}

/** Maximum time limits, in milliseconds. */
export interface Patience {
  /** Logins, and requests and mails in total. */
  readonly connectMs: number;
  /** Greetings of mail servers. */
  readonly greetingMs: number;
  /** Queries, commands and files. */
  readonly stepMs: number;
  readonly silenceMs: number;
}

/** Reduces every time limit. */
export function impatientPorts(client: OutboundClient, patience: Patience): ImpatientPorts {
  const { connectMs, greetingMs, stepMs, silenceMs } = patience;
  const asked: number[] = [];
  const cut = (limit: number, to: number): number => {
    asked.push(limit);
    return Math.min(limit, to);
  };
  const query = (bounds: QueryBounds): QueryBounds => ({
    ...bounds,
    connectMs: cut(bounds.connectMs, connectMs),
    queryMs: cut(bounds.queryMs, stepMs),
  });
  const steps = (bounds: RemoteBounds): RemoteBounds => ({
    ...bounds,
    connectMs: cut(bounds.connectMs, connectMs),
    stepMs: cut(bounds.stepMs, stepMs),
    silenceMs: cut(bounds.silenceMs, silenceMs),
  });
  const mail: MailBounds = {
    greetingMs: cut(MAIL_BOUNDS.greetingMs, greetingMs),
    silenceMs: cut(MAIL_BOUNDS.silenceMs, silenceMs),
    totalMs: cut(MAIL_BOUNDS.totalMs, connectMs),
  };
  const databases = createDatabases(client.openSocket);
  const remote = createRemoteServers(client.openSocket, mail);
  return {
    asked,
    ports: {
      http: { request: (request) => client.request({ ...request, timeoutMs: cut(request.timeoutMs, connectMs) }) },
      streams: { stream: (request) => client.stream({ ...request, timeoutMs: cut(request.timeoutMs, connectMs) }) },
      mail: createMailSender(client.openSocket, mail),
      databases: {
        postgres: (server, options, bounds, signal) => databases.postgres(server, options, query(bounds), signal),
        mysql: (server, options, bounds, signal) => databases.mysql(server, options, query(bounds), signal),
        redis: (server, bounds, signal) => databases.redis(server, query(bounds), signal),
        mongo: (server, bounds, signal) => databases.mongo(server, query(bounds), signal),
      },
      remote: {
        mailbox: (server, name, signal, use) => remote.mailbox(server, name, signal, use),
        ssh: (server, bounds, signal, use) => remote.ssh(server, steps(bounds), signal, use),
        ftp: (server, bounds, signal, use) => remote.ftp(server, steps(bounds), signal, use),
      },
    },
  };
}
