import type { JsonObject } from '@weft/node-catalogue';
import { field, textField } from '@weft/node-catalogue';
import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { endpointOf, keysOf } from '../shared/s3/account';
import { runS3 } from '../shared/s3/run-s3';
import type { S3Account } from '../shared/s3/s3-client';

/** Works on buckets, folders and files of an S3 server. */
export const s3: NodeExecutor = {
  kind: 's3',
  actsOutside: true,
  run: async (context) =>
    runS3(context, s3AccountOf(await context.credential('s3')), {
      joinsParents: false,
      hasDelimiter: false,
      tellsUploads: false,
    }),
};

/** The account in a credential of type s3. @throws NodeFailure for invalid fields */
export function s3AccountOf(credential: JsonObject): S3Account {
  const endpoint = textField(credential, 'endpoint') ?? '';
  if (endpoint === '') throw new NodeFailure('The credential has no endpoint, such as "https://s3.example.com"');
  return {
    endpoint: endpointOf(endpoint),
    pathStyle: field(credential, 'forcePathStyle') === true,
    region: (textField(credential, 'region') ?? '').trim() || 'us-east-1',
    allowUnauthorizedCerts: field(credential, 'ignoreSSLIssues') === true,
    ...keysOf(credential),
  };
}
