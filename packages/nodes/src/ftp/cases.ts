import type { KindCases } from '../testing/node-case';

const VERSIONS = [1, 1.1];

/** What talks to a server is in `packages/nodes/test/remote-files.test.ts`. */
export const ftpCases: KindCases = {
  kind: 'ftp',
  cases: [
    ...(['ftp', 'sftp'] as const).map((protocol) => ({
      it: `gives the reason once where no session is opened, and goes on (${protocol})`,
      versions: VERSIONS,
      run: {
        items: [{}, {}],
        credential: { host: 'example.com', port: 0 },
        parameters: { protocol, path: '/x' },
        node: { onError: 'continueRegularOutput', credentials: { [protocol]: { id: 'c1', name: 'Login' } } },
      },
      gives: [[{ error: `The port of the ${protocol} credential must be a number from 1 to 65535.` }]],
      pairs: [[[{ item: 0 }, { item: 1 }]]],
    })),
    {
      it: 'fails without a credential',
      versions: VERSIONS,
      run: { items: [{}], parameters: { path: '/x' } },
      fails: 'names no credential of type ftp',
    },
  ],
};
