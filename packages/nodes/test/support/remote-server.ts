import type { JsonObject } from '@weft/node-catalogue';
import { createOutboundClient, createRemoteServers, type RemoteServers } from '@weft/outbound';
import type { CloseLater } from '@weft/service-kit/testing';
import { describeAt } from './servers';

/** A test server, with the login from its URL. */
export interface RemoteServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Describes tests of a server; skipped if `npm test` could not start it. */
export const describeWithServer = (variable: string, name: string, tests: (server: RemoteServer) => void): void =>
  describeAt(variable, name, ({ hostname: host, port, username: user, password }) =>
    tests({ host, port: Number(port), user, password }),
  );

/** Clients that may connect to any port of this machine, since data connections of FTP use any of them. */
export function localRemoteServers(later: CloseLater): RemoteServers {
  const client = later(createOutboundClient({ allow: ['127.0.0.1'] }), (open) => open.close());
  return createRemoteServers(client.openSocket);
}

/** The credential for a server, from its URL. */
export const loginOf = ({ hostname, port, username, password }: URL): JsonObject => ({
  host: hostname,
  port: Number(port),
  username,
  password,
});
