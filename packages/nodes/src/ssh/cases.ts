import type { KindCases } from '../testing/cases/node-case';

const node = (onError: string) => ({ onError, credentials: { sshPassword: { id: 'c1', name: 'Login' } } });

/** Tests with a server are in `packages/nodes/test/remote-files.test.ts`. */
export const sshCases: KindCases = {
  kind: 'ssh',
  cases: [
    {
      it: 'outputs the reason if no session can be opened, and continues',
      versions: [1],
      run: {
        items: [{}],
        credential: { host: '' },
        parameters: { command: 'true' },
        node: node('continueRegularOutput'),
      },
      fails: 'The sshPassword credential has no host.',
      gives: [[expect.anything()]],
    },
    {
      it: 'explains the format of a fingerprint',
      versions: [1],
      run: {
        items: [{}],
        credential: { host: 'example.com', hostFingerprint: 'aa:bb' },
        parameters: { command: 'true' },
        node: node('stopWorkflow'),
      },
      fails: 'The hostFingerprint of the sshPassword credential is not valid.',
    },
    {
      it: 'fails without a credential',
      versions: [1],
      run: { items: [{}], parameters: { authentication: 'privateKey', command: 'true' } },
      fails: 'names no credential of type sshPrivateKey',
    },
  ],
};
