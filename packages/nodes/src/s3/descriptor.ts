import type { KindDescriptor } from '@weft/node-catalogue';
import { s3Parameters } from '../descriptors/s3-parameters';

/** Works on buckets, folders and files of an S3 server. */
export const s3: KindDescriptor = {
  kind: 's3',
  label: 'S3',
  description: 'Creates, lists and deletes buckets and folders, and uploads and downloads files of an S3 server.',
  versions: [1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 's3', required: true }],
  differs: [
    'Keys with "." or ".." as a path segment are rejected because URLs cannot represent them.',
    'The key of a file is encoded literally: a `%20` in it is not a space.',
  ],
  parameters: s3Parameters(),
};
