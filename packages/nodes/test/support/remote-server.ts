/** A server of the tests, with the login of its address. */
export interface RemoteServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** The address that an environment variable gives; undefined where the server could not be set up. */
export const remoteServer = (variable: string): RemoteServer | undefined => {
  const stated = process.env[variable];
  if (stated === undefined || stated === '') return undefined;
  const { hostname, port, username, password } = new URL(stated);
  return { host: hostname, port: Number(port), user: username, password };
};

/** Describes tests of a server. They are skipped, by a name that says why, where `npm test` could not set it up. */
export const describeWithServer = (variable: string, name: string, tests: (server: RemoteServer) => void): void => {
  const server = remoteServer(variable);
  if (server !== undefined) describe(name, () => tests(server));
  else describe.skip(`${name} (no server: ${variable} is not set)`, () => tests(ABSENT));
};

const ABSENT: RemoteServer = { host: '', port: 0, user: '', password: '' };
