import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { createOutboundClient, type OutboundClient, type OutboundHttp } from '@weft/outbound';
import { type LocalServer, serveTcp } from '@weft/outbound/testing';
import { type KindResult, type KindRun, runKind } from '../src/testing/cases/run-kind';
import { describeWithServer, type RemoteServer } from './support/remote-server';

/** The kinds and their versions, which behave alike except where a separate test says otherwise. */
const KINDS: readonly (readonly [kind: 's3' | 'awsS3', version: number])[] = [
  ['s3', 1],
  ['awsS3', 1],
  ['awsS3', 2],
];

const credentialOf = (kind: string, { host, port, user, password }: RemoteServer): JsonObject => {
  const endpoint = `http://${host}:${port}`;
  const keys = { accessKeyId: user, secretAccessKey: password, region: 'us-east-1' };
  return kind === 's3'
    ? { ...keys, endpoint, forcePathStyle: true }
    : { ...keys, customEndpoints: true, s3Endpoint: endpoint };
};

describeWithServer('TEST_S3_URL', 'the nodes for S3', (server) => {
  let client: OutboundClient;
  beforeAll(() => {
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  afterAll(() => client.close());

  const run = (kind: string, version: number, parameters: JsonObject, more: KindRun = {}): Promise<KindResult> =>
    runKind(kind, {
      version,
      parameters,
      http: client,
      credential: credentialOf(kind, server),
      node: { credentials: { [kind === 's3' ? 's3' : 'aws']: { id: 'c1' } } },
      ...more,
    });
  const given = async (...values: Parameters<typeof run>): Promise<readonly unknown[]> => {
    const { outputs, error } = await run(...values);
    if (error !== undefined) throw new Error(error.message);
    return outputs[0] ?? [];
  };

  describe.each(KINDS)('%s %d', (kind, version) => {
    const bucketName = `box-${randomUUID()}`;
    const bucket = (operation: string, more: JsonObject = {}) =>
      given(kind, version, { resource: 'bucket', operation, name: bucketName, bucketName, ...more });
    const file = (operation: string, more: JsonObject = {}, around: KindRun = {}) =>
      given(kind, version, { resource: 'file', operation, bucketName, ...more }, around);
    const folder = (operation: string, more: JsonObject = {}) =>
      given(kind, version, { resource: 'folder', operation, bucketName, ...more });
    const put = (fileName: string, fileContent: string, additionalFields: JsonObject = {}) =>
      file('upload', { binaryData: false, fileName, fileContent, additionalFields });
    const textOf = async (fileKey: string): Promise<string> => {
      const files = memoryFiles();
      const { items, error } = await run(
        kind,
        version,
        { resource: 'file', operation: 'download', bucketName, fileKey, binaryPropertyName: 'got' },
        { files },
      );
      if (error !== undefined) throw new Error(error.message);
      const got = items[0]?.[0]?.binary?.['got'];
      if (got === undefined) throw new Error('There is no file.');
      return Buffer.from(await files.read(got)).toString();
    };
    const keys = (entries: readonly unknown[]): unknown[] => entries.map((entry) => Object(entry)['Key']);

    it('creates a bucket, lists it, and reports one that exists', async () => {
      expect(await bucket('create')).toEqual([{ success: true }]);
      const all = await bucket('getAll', { returnAll: true });
      expect(all).toContainEqual(expect.objectContaining({ Name: bucketName, CreationDate: expect.any(String) }));
      expect(await bucket('getAll', { limit: 1 })).toHaveLength(1);
      await expect(bucket('create')).rejects.toThrow(/409 BucketAlready/);
    });

    it('uploads a string and a file with tags, and downloads them unchanged', async () => {
      expect(await put('notes/a.txt', 'Grüße <&>')).toEqual([{ success: true }]);
      expect(await textOf('notes/a.txt')).toBe('Grüße <&>');
      const files = memoryFiles();
      const data = await files.store(Buffer.from('1,2'), { mimeType: 'text/csv', fileName: 'n.csv' });
      const uploaded = await file(
        'upload',
        {
          additionalFields: { parentFolderKey: 'tables', storageClass: 'standard' },
          tagsUi: { tagsValues: [{ key: 'a b', value: 'c=d+e/f:g' }] },
        },
        { files, binary: { data } },
      );
      const told = { Bucket: bucketName, Key: 'tables/n.csv', ETag: expect.any(String), Location: expect.any(String) };
      expect(uploaded).toEqual([version === 2 ? told : { success: true }]);
      expect(await textOf('tables/n.csv')).toBe('1,2');
    });

    it.each(["ä b+c?d#e%20f&g'(h)*!:@=,;", '日本/語.txt', '<Key>&amp;</Key>', ' a ', 'a"b\\c'])(
      'distinguishes a file with the key "%s" from all others',
      async (key) => {
        await put(key, `content of ${key}`);
        expect(await textOf(key)).toBe(`content of ${key}`);
        expect(keys(await bucket('search', { returnAll: true, additionalFields: { prefix: key } }))).toEqual([key]);
        await file('delete', { fileKey: key });
        await expect(textOf(key)).rejects.toThrow(/404 NoSuchKey/);
      },
    );

    it.each(['../other/secret', 'a/../../b', '.'])('rejects the key "%s" before anything is sent', async (fileKey) => {
      await expect(file('delete', { fileKey })).rejects.toThrow('must not have "." or ".."');
      await expect(put(fileKey, 'x')).rejects.toThrow('must not have "." or ".."');
    });

    it('copies a file', async () => {
      await put('from/x y.txt', 'moved');
      const [copied] = await file('copy', {
        sourcePath: `/${bucketName}/from/x y.txt`,
        destinationPath: `/${bucketName}/to/ü.txt`,
      });
      expect(copied).toMatchObject({ ETag: expect.any(String), LastModified: expect.any(String) });
      expect(await textOf('to/ü.txt')).toBe('moved');
    });

    it('lists files and folders separately, page by page', async () => {
      await folder('create', { folderName: 'year' });
      const parentFolderKey = version === 2 ? 'year' : 'year/';
      await folder('create', { folderName: 'may', additionalFields: { parentFolderKey } });
      await put('year/1.txt', '1');
      await put('year/2.txt', '2');
      await put('year/may/3.txt', '3');
      const options = { folderKey: 'year/' };
      expect(keys(await file('getAll', { returnAll: true, options }))).toEqual(['year/1.txt', 'year/2.txt']);
      expect(keys(await folder('getAll', { returnAll: true, options }))).toEqual(['year/may/']);
      const search = { additionalFields: { prefix: 'year/', startAfter: 'year/1.txt' }, limit: 1 };
      expect(keys(await bucket('search', search))).toEqual(['year/2.txt']);
      const grouped = { prefix: 'year/', delimiter: '/', includeCommonPrefixes: true };
      const found = await bucket('search', { returnAll: true, additionalFields: grouped });
      if (version === 2) expect(found).toEqual([{ Prefix: 'year/may/' }]);
      else expect(keys(found)).toContain('year/may/3.txt');
    });

    it('deletes a folder with all its content, and nothing else', async () => {
      await put('gone/a</Key></Object><Object><Key>year', 'x');
      await put('gone/b', 'x');
      const [{ deleted }] = (await folder('delete', { folderKey: 'gone/' })) as [{ deleted: unknown[] }];
      expect(keys(deleted)).toEqual(['gone/a</Key></Object><Object><Key>year', 'gone/b']);
      expect(await textOf('year/1.txt')).toBe('1');
      expect(await folder('delete', { folderKey: 'never/' })).toEqual([{ deleted: [{ Key: 'never/' }] }]);
      await expect(folder('delete', { folderKey: '' })).rejects.toThrow('key of the folder is missing');
    });

    it('deletes a bucket once it is empty', async () => {
      await expect(bucket('delete')).rejects.toThrow(/409 BucketNotEmpty/);
      const all = await bucket('search', { returnAll: true });
      for (const fileKey of keys(all)) await file('delete', { fileKey: String(fileKey) });
      expect(await bucket('delete')).toEqual([{ success: true }]);
      await expect(bucket('delete')).rejects.toThrow(/404 NoSuchBucket/);
    });

    it('reports wrong keys without showing them', async () => {
      const listing = { resource: 'bucket', operation: 'getAll' };
      const wrong = { ...credentialOf(kind, server), secretAccessKey: 'wrong-secret-of-mine' };
      const { error } = await run(kind, version, listing, { credential: wrong });
      expect(error?.message).toContain('403 SignatureDoesNotMatch');
      expect(JSON.stringify(error)).not.toContain('wrong-secret-of-mine');
      const unknown = await run(kind, version, listing, { credential: { ...wrong, accessKeyId: 'nobody' } });
      expect(unknown.error?.message).toMatch(/403 InvalidAccessKeyId|No user exists with the provided access key/);
    });

    it('outputs an error item for a failed one, and continues', async () => {
      const { outputs } = await run(
        kind,
        version,
        { resource: 'bucket', operation: 'delete', name: '={{ $json.name }}' },
        {
          items: [{ name: `box-${randomUUID()}` }, { name: '../x' }],
          node: { ...nodeOf(kind), onError: 'continueRegularOutput' },
        },
      );
      expect(outputs[0]).toEqual([
        { error: expect.stringContaining('404 NoSuchBucket') },
        { error: expect.stringContaining('Invalid bucket name') },
      ]);
    });
  });

  const nodeOf = (kind: string): JsonObject => ({ credentials: { [kind === 's3' ? 's3' : 'aws']: { id: 'c1' } } });

  describe('a faulty server', () => {
    const listing = { resource: 'bucket', operation: 'getAll' };
    const at = (port: number): JsonObject => credentialOf('s3', { ...server, port });
    const failing = async (port: number, http: OutboundHttp = client): Promise<string> =>
      (await run('s3', 1, listing, { credential: at(port), http })).error?.message ?? '';

    it('is reported if nothing responds there', async () => {
      const { port, close } = await serveTcp(() => undefined);
      await close();
      expect(await failing(port)).toMatch(/127\.0\.0\.1|refused|connect/i);
    });

    it('ends the request if it is too slow', async () => {
      const silent: LocalServer = await serveTcp(() => undefined);
      const impatient: OutboundHttp = { request: (request) => client.request({ ...request, timeoutMs: 300 }) };
      expect(await failing(silent.port, impatient)).toMatch(/300 ms|time|0\.3/i);
      await silent.close();
    });

    it('is distinguished from S3 if it speaks another protocol', async () => {
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello';
      const other: LocalServer = await serveTcp((socket) => void socket.end(answer));
      expect(await failing(other.port)).toContain('the response is not XML');
      await other.close();
    });

    it('is not reached at all if requests to it are forbidden', async () => {
      const closed = createOutboundClient({ allow: [] });
      expect(await failing(server.port, closed)).toMatch(/private|not allowed|127\.0\.0\.1/);
      closed.close();
    });
  });
});
