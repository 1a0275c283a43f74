import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { createOutboundClient } from '@weft/outbound';
import { closeAfterEach } from '@weft/service-kit/testing';
import { knownKind } from '../src/testing/known-kind';
import { operationsOf } from '../src/testing/cases/operations';
import { type KindResult, type KindRun, runKind } from '../src/testing/cases/run-kind';
import { FILE_CONTENT, SERVER_OPERATIONS, type ServerOperation } from '../src/testing/servers/server-operations';
import { localRemoteServers, loginOf } from './support/remote-server';
import { describeAt } from './support/servers';

const later = closeAfterEach();

/** A kind on a server: its credential, and the common parameters of its operations. */
interface Place {
  readonly kind: keyof typeof SERVER_OPERATIONS;
  readonly variable: string;
  readonly credentialType: string;
  readonly credential: (address: URL) => JsonObject;
  readonly parameters: JsonObject;
  readonly newPlace: (address: URL) => string;
}

const s3Credential = (address: URL): JsonObject => ({
  accessKeyId: address.username,
  secretAccessKey: address.password,
  region: 'us-east-1',
  ...{ endpoint: address.origin, forcePathStyle: true },
  ...{ customEndpoints: true, s3Endpoint: address.origin },
});
const newBucket = (): string => `box-${randomUUID()}`;
const below = (folder: string): string => `${folder}/${randomUUID()}`;
const home = ({ pathname }: URL): string => below(pathname);

const PLACES: readonly Place[] = [
  {
    ...{ kind: 'ftp', variable: 'TEST_FTP_URL', credentialType: 'ftp', credential: loginOf },
    ...{ parameters: { protocol: 'ftp' }, newPlace: () => below('/data/ftp') },
  },
  {
    ...{ kind: 'ftp', variable: 'TEST_SSH_URL', credentialType: 'sftp', credential: loginOf },
    ...{ parameters: { protocol: 'sftp' }, newPlace: home },
  },
  {
    ...{ kind: 'ssh', variable: 'TEST_SSH_URL', credentialType: 'sshPassword', credential: loginOf },
    ...{ parameters: {}, newPlace: home },
  },
  {
    ...{ kind: 's3', variable: 'TEST_S3_URL', credentialType: 's3', credential: s3Credential },
    ...{ parameters: {}, newPlace: newBucket },
  },
  {
    ...{ kind: 'awsS3', variable: 'TEST_S3_URL', credentialType: 'aws', credential: s3Credential },
    ...{ parameters: {}, newPlace: newBucket },
  },
];

for (const { kind, variable, credentialType, credential, parameters, newPlace } of PLACES)
  describeAt(variable, `every operation of ${kind} with ${credentialType}`, (address) => {
    const descriptor = knownKind(kind);
    const rows = descriptor.versions.flatMap((version) =>
      operationsOf(descriptor, version).map((operation) => [version, operation] as const),
    );
    const run = async (version: number, more: JsonObject, files = memoryFiles()): Promise<KindResult> => {
      const http = later(createOutboundClient({ allow: ['127.0.0.0/8'] }), (open) => open.close());
      const data = await files.store(Buffer.from(FILE_CONTENT), { mimeType: 'text/plain', fileName: 'in.txt' });
      const around: KindRun = { http, remote: localRemoteServers(later), credential: credential(address) };
      const node = { credentials: { [credentialType]: { id: 'c1', name: 'Login' } } };
      const items = [{ a: 1 }];
      const binary = more['operation'] === 'upload' ? { data } : {};
      return runKind(kind, { ...around, version, node, items, files, binary, parameters: { ...parameters, ...more } });
    };
    const known = (operation: string): ServerOperation => {
      const found = SERVER_OPERATIONS[kind](newPlace(address))[operation];
      if (found === undefined) throw new Error(`Add "${operation}" of ${kind} to SERVER_OPERATIONS.`);
      return found;
    };

    it.each(rows)('version %s: %s outputs its items, and a clear error', async (version, operation) => {
      const { after = [], run: own, gives, file, fails } = known(operation);
      for (const before of after) expect((await run(version, before)).error).toBeUndefined();
      const files = memoryFiles();
      const { error, outputs, items } = await run(version, own, files);
      expect(error).toBeUndefined();
      expect(outputs[0]).toEqual(gives);
      if (file !== undefined) {
        const stored = items[0]?.[0]?.binary?.['data'];
        expect(stored && Buffer.from(await files.read(stored)).toString()).toBe(file);
      }
      if (typeof fails === 'string') return;
      const failed = await run(version, fails[0]);
      expect(failed.error?.message).toMatch(fails[1]);
      expect(failed.outputs.flat()).toEqual([]);
    });
  });
