import { describeAt } from './servers';

/** A server of the tests, with the login of its address. */
export interface RemoteServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Describes tests of a server; skipped where `npm test` could not set it up. */
export const describeWithServer = (variable: string, name: string, tests: (server: RemoteServer) => void): void =>
  describeAt(variable, name, ({ hostname: host, port, username: user, password }) =>
    tests({ host, port: Number(port), user, password }),
  );
