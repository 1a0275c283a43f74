import type { KindCases } from '../testing/cases/node-case';

const VERSIONS = [1, 1.1];

/** Tests with a server are in `packages/nodes/test/remote-files.test.ts`. */
export const ftpCases: KindCases = {
  kind: 'ftp',
  cases: [
    ...(['ftp', 'sftp'] as const).map((protocol) => ({
      it: `outputs the reason once if no session can be opened, and continues (${protocol})`,
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
