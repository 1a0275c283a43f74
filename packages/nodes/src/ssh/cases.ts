import type { KindCases } from '../testing/node-case';

const node = (onError: string) => ({ onError, credentials: { sshPassword: { id: 'c1', name: 'Login' } } });

/** What talks to a server is in `packages/nodes/test/remote-files.test.ts`. */
export const sshCases: KindCases = {
  kind: 'ssh',
  cases: [
    {
      it: 'gives the reason where no session is opened, and goes on',
      versions: [1],
      run: {
        items: [{}],
        credential: { host: '' },
        parameters: { command: 'true' },
        node: node('continueRegularOutput'),
      },
      fails: 'The sshPassword credential names no host.',
      gives: [[expect.anything()]],
    },
    {
      it: 'says what a fingerprint is',
      versions: [1],
      run: {
        items: [{}],
        credential: { host: 'example.com', hostFingerprint: 'aa:bb' },
        parameters: { command: 'true' },
        node: node('stopWorkflow'),
      },
      fails: 'The hostFingerprint of the sshPassword credential is not one.',
    },
    {
      it: 'fails without a credential',
      versions: [1],
      run: { items: [{}], parameters: { authentication: 'privateKey', command: 'true' } },
      fails: 'names no credential of type sshPrivateKey',
    },
  ],
};
