import type { JsonObject } from '@weft/node-catalogue';
import { createDatabases, createOutboundClient, type Databases, type QueryBounds } from '@weft/outbound';

/** A real server of a kind's tests, and the credential for it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
  readonly credential: JsonObject;
}

/** The server whose address a variable holds, undefined where it could not be set up. */
export function databaseServer(variable: string): DatabaseServer | undefined {
  const address = process.env[variable];
  if (address === undefined || address === '') return undefined;
  const { hostname, port, username, password, pathname } = new URL(address);
  return {
    host: hostname,
    port: Number(port),
    credential: { host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) },
  };
}

/** `describe` for tests of a server, skipped with a reason where there is none. */
export function describeWith(variable: string, name: string, tests: (server: DatabaseServer) => void): void {
  const server = databaseServer(variable);
  if (server === undefined)
    describe.skip(`${name} (skipped: ${variable} names no server)`, () => it('', () => undefined));
  else describe(name, () => tests(server));
}

/** Clients that may connect to ports of this machine, and the way to end them. */
export function localDatabases(ports: readonly number[]): { readonly databases: Databases; close(): void } {
  const client = createOutboundClient({ allow: ports.map((port) => `127.0.0.1:${port}`) });
  return { databases: createDatabases(client.openSocket), close: () => client.close() };
}

/** Bounds that end only what hangs. */
export const WIDE: QueryBounds = { connectMs: 60_000, queryMs: 60_000, maxRows: 1_000_000, maxBytes: 64 * 1024 * 1024 };
