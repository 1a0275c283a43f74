import type { CaseAnswer, CaseWorld, KindCases } from '../cases/node-case';

const XML = 'application/xml';
const BUCKETS: CaseAnswer = {
  type: XML,
  body:
    '<ListAllMyBucketsResult><Buckets><Bucket><Name>box</Name><CreationDate>2026-01-01T00:00:00.000Z</CreationDate>' +
    '</Bucket></Buckets></ListAllMyBucketsResult>',
};
const REFUSED: CaseAnswer = {
  status: 403,
  type: XML,
  body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
const REGION: CaseAnswer = { type: XML, body: '<LocationConstraint>eu-west-1</LocationConstraint>' };

const NOTHING: CaseAnswer = { type: XML, body: '<ListBucketResult></ListBucketResult>' };
const listed = (key: string, bytes: number): CaseAnswer => ({
  type: XML,
  body: `<ListBucketResult><Contents><Key>${key}</Key><Size>${bytes}</Size></Contents></ListBucketResult>`,
});
const bucketName = 'box';

/** One operation: parameters, the server's response, the node's output, and its last request. */
const OPERATIONS: readonly (readonly [Record<string, string | boolean>, CaseAnswer, unknown, object])[] = [
  [
    { resource: 'bucket', operation: 'create', name: bucketName },
    NOTHING,
    { success: true },
    { method: 'PUT', path: '/box' },
  ],
  [
    { resource: 'bucket', operation: 'delete', name: bucketName },
    NOTHING,
    { success: true },
    { method: 'DELETE', path: '/box' },
  ],
  [
    { resource: 'bucket', operation: 'search', bucketName },
    listed('a.txt', 1),
    { Key: 'a.txt', Size: '1' },
    { method: 'GET' },
  ],
  [
    { resource: 'file', operation: 'copy', sourcePath: '/box/a.txt', destinationPath: '/other/b.txt' },
    { type: XML, body: '<CopyObjectResult><ETag>e</ETag></CopyObjectResult>' },
    { ETag: 'e' },
    { method: 'PUT', path: '/other/b.txt', headers: { 'x-amz-copy-source': '/box/a.txt' } },
  ],
  [
    { resource: 'file', operation: 'download', bucketName, fileKey: 'in/a.txt' },
    NOTHING,
    { a: 1 },
    { method: 'GET', path: '/box/in/a.txt' },
  ],
  [
    { resource: 'file', operation: 'upload', bucketName, binaryData: false, fileName: 'a.txt', fileContent: 'hello' },
    NOTHING,
    { success: true },
    { method: 'PUT', path: '/box/a.txt', body: 'hello' },
  ],
  [
    { resource: 'file', operation: 'getAll', bucketName },
    listed('a.txt', 1),
    { Key: 'a.txt', Size: '1' },
    { method: 'GET' },
  ],
  [
    { resource: 'folder', operation: 'create', bucketName, folderName: 'in' },
    NOTHING,
    { success: true },
    { method: 'PUT', path: '/box/in/' },
  ],
  [
    { resource: 'folder', operation: 'delete', bucketName, folderKey: 'in/' },
    NOTHING,
    { deleted: [{ Key: 'in/' }] },
    { method: 'DELETE', path: '/box/in/' },
  ],
  [
    { resource: 'folder', operation: 'getAll', bucketName },
    listed('in/', 0),
    { Key: 'in/', Size: '0' },
    { method: 'GET' },
  ],
];

/** Cases of an S3 kind with a server that gives all requests the same response. A separate test uses a real server. */
export const s3Cases = (
  kind: string,
  credentialType: string,
  versions: readonly number[],
  credentialOf: (world: CaseWorld) => Record<string, string | boolean>,
): KindCases => {
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret-example', region: 'us-east-1' };
  const run = (parameters: Record<string, string | boolean>) => (world: CaseWorld) => ({
    items: [{ a: 1 }],
    parameters,
    credential: { ...keys, ...credentialOf(world) },
    node: { credentials: { [credentialType]: { id: 'c1' } } },
  });
  return {
    kind,
    cases: [
      {
        it: 'lists the buckets of the account',
        versions,
        run: run({ resource: 'bucket', operation: 'getAll' }),
        serverAnswers: BUCKETS,
        gives: [[{ Name: 'box', CreationDate: '2026-01-01T00:00:00.000Z' }]],
        pairs: [[{ item: 0 }]],
        sends: { method: 'GET', path: '/' },
      },
      {
        it: 'requests the region of the bucket before it deletes a file',
        versions,
        run: run({ resource: 'file', operation: 'delete', bucketName: 'box', fileKey: 'a b/ü.txt' }),
        serverAnswers: REGION,
        gives: [[{ success: true }]],
        sends: { method: 'DELETE', path: '/box/a%20b/%C3%BC.txt' },
      },
      ...OPERATIONS.map(([parameters, serverAnswers, given, sends]) => ({
        it: `sends the request that S3 expects (${String(parameters['resource'])} ${String(parameters['operation'])})`,
        versions,
        run: run(parameters),
        serverAnswers,
        gives: [[given]],
        pairs: [[{ item: 0 }]],
        sends,
      })),
      {
        it: 'fails with the message of the server',
        versions,
        run: run({ resource: 'bucket', operation: 'getAll' }),
        serverAnswers: REFUSED,
        fails: 'The S3 server answered 403 AccessDenied: Access Denied',
      },
    ],
  };
};
