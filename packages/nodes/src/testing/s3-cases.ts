import type { CaseAnswer, CaseWorld, KindCases } from './node-case';

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

/** Cases of a kind for S3 against a server that answers all requests alike. The real server has a test of its own. */
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
        it: 'asks for the region of the bucket before it deletes a file',
        versions,
        run: run({ resource: 'file', operation: 'delete', bucketName: 'box', fileKey: 'a b/ü.txt' }),
        serverAnswers: REGION,
        gives: [[{ success: true }]],
        sends: { method: 'DELETE', path: '/box/a%20b/%C3%BC.txt' },
      },
      {
        it: 'fails with the words of the server',
        versions,
        run: run({ resource: 'bucket', operation: 'getAll' }),
        serverAnswers: REFUSED,
        fails: 'The S3 server answered 403 AccessDenied: Access Denied',
      },
    ],
  };
};
