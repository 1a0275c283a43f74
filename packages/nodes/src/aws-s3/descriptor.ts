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
  credentials: [{ type: 'aws', required: true }],
  differs: [
    'Keys with "." or ".." between slashes are refused: no address can carry them.',
    'A file is uploaded in one request: files of a run are not larger than S3 takes at once.',
    'Credentials of a role that is assumed (`awsAssumeRole`) are not supported.',
  ],
  parameters: s3Parameters(2),
};
