import type { JsonObject } from '@weft/node-catalogue';
import { createDatabases, createOutboundClient, type Databases, type QueryBounds } from '@weft/outbound';

/** A real server for a kind's tests, and the credential for it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
  readonly credential: JsonObject;
}

/** `describe` for tests of a server whose URL is in a variable; skipped, with the reason in its name, without one. */
export function describeAt(variable: string, name: string, tests: (address: URL) => void): void {
  const address = process.env[variable];
  if (address === undefined || address === '')
    describe.skip(`${name} (skipped: ${variable} is not set)`, () => it('', () => undefined));
  else describe(name, () => tests(new URL(address)));
}

/** As `describeWithServer`, for a database. */
export function describeWith(variable: string, name: string, tests: (server: DatabaseServer) => void): void {
  describeAt(variable, name, ({ hostname: host, port, username: user, password, pathname }) => {
    const credential = { host, port: Number(port), user, password, database: pathname.slice(1) };
    tests({ host, port: Number(port), credential });
  });
}

/** Clients that may connect to ports of this machine, and a function that ends them. */
export function localDatabases(ports: readonly number[]): { readonly databases: Databases; close(): void } {
  const client = createOutboundClient({ allow: ports.map((port) => `127.0.0.1:${port}`) });
  return { databases: createDatabases(client.openSocket), close: () => client.close() };
}

/** Limits that end only hanging sessions. */
export const WIDE: QueryBounds = { connectMs: 60_000, queryMs: 60_000, maxRows: 1_000_000, maxBytes: 64 * 1024 * 1024 };
