import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { closeAfterEach } from '@weft/service-kit/testing';
import { faultsOf } from '../src/testing/cases/faults';
import { knownKind } from '../src/testing/known-kind';
import type { NodeCase } from '../src/testing/cases/node-case';
import { operationsOf } from '../src/testing/cases/operations';
import { withstands } from '../src/testing/cases/withstands';
import { localRemoteServers, loginOf } from './support/remote-server';
import { describeAt } from './support/servers';

const later = closeAfterEach();

/** Parameters of each operation, on files in a folder of the test. */
const RUNS: Readonly<Record<'ftp' | 'ssh', (folder: string) => Readonly<Record<string, JsonObject>>>> = {
  ftp: (folder) => ({
    delete: { path: `${folder}/gone` },
    download: { path: `${folder}/none` },
    list: { path: folder },
    rename: { oldPath: `${folder}/one`, newPath: `${folder}/two` },
    upload: { path: `${folder}/in.txt` },
  }),
  ssh: (folder) => ({
    'command execute': { command: 'true', cwd: folder },
    'file download': { path: `${folder}/none` },
    'file upload': { path: folder },
  }),
};

for (const [kind, variable, type, parameters] of [
  ['ftp', 'TEST_FTP_URL', 'ftp', { protocol: 'ftp' }],
  ['ftp', 'TEST_SSH_URL', 'sftp', { protocol: 'sftp' }],
  ['ssh', 'TEST_SSH_URL', 'sshPassword', {}],
] as const)
  describeAt(variable, `${kind} with ${type}`, (address) => {
    const descriptor = knownKind(kind);
    const folder = `${type === 'ftp' ? '/data/ftp' : address.pathname}/${randomUUID()}`;
    const runs = RUNS[kind](folder);
    const rows = descriptor.versions.flatMap((version) =>
      operationsOf(descriptor, version).map((operation) => [version, operation] as const),
    );

    it.each(rows)(
      '%s %s gives items or a clear error for hostile, oversized and missing input and wrong types',
      async (version, operation) => {
        expect(Object.keys(runs)).toContain(operation);
        const [resource, does] = operation.split(' ');
        const chosen = does === undefined ? { operation } : { resource: resource ?? '', operation: does };
        const one: NodeCase = {
          it: operation,
          versions: [version],
          run: { items: [{ a: 1 }], parameters: { ...parameters, ...chosen, ...runs[operation] } },
          withFiles: { data: { content: 'hello', fileName: 'in.txt' } },
        };
        const faults = faultsOf(one, { url: '' }, version, descriptor.versions);
        const ports = {
          remote: localRemoteServers(later),
          credential: loginOf(address),
          node: { credentials: { [type]: { id: 'c1', name: 'Login' } } },
        };
        // The owner decides which commands run.
        const own = faults.filter(({ name }) => !name.startsWith('command'));
        expect(await withstands(kind, version, own, ports)).toEqual([]);
      },
    );
  });
