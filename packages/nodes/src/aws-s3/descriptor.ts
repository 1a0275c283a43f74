import type { KindDescriptor } from '@weft/node-catalogue';
import { s3Parameters } from '../descriptors/s3-parameters';

/** Works on buckets, folders and files of Amazon S3. */
export const awsS3: KindDescriptor = {
  kind: 'awsS3',
  label: 'AWS S3',
  description: 'Creates, lists and deletes buckets and folders, and uploads and downloads files of Amazon S3.',
  versions: [1, 2],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: { since: 2 },
  credentials: [{ type: 'aws', required: true }],
  differs: [
    'Keys with "." or ".." as a path segment are rejected because URLs cannot represent them.',
    'A file is uploaded in one request: the files of a run never exceed the size that S3 accepts at once.',
    'Credentials of an assumed role (`awsAssumeRole`) are not supported.',
  ],
  parameters: s3Parameters(2),
};
