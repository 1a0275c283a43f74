import type { JsonObject } from '@weft/node-catalogue';
import { field, textField } from '@weft/node-catalogue';
import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { endpointOf, keysOf } from '../shared/s3/account';
import { runS3 } from '../shared/s3/run-s3';
import type { S3Account } from '../shared/s3/s3-client';

/** Works on buckets, folders and files of Amazon S3. Versions 1 and 2. */
export const awsS3: NodeExecutor = {
  kind: 'awsS3',
  actsOutside: true,
  run: async (context) => {
    const isNewer = context.version >= 2;
    return runS3(context, awsAccountOf(await context.credential('aws')), {
      joinsParents: isNewer,
      hasDelimiter: isNewer,
      tellsUploads: isNewer,
    });
  },
};

/** Regions are part of host names. */
const REGION = /^[a-z]{2}(?:-[a-z]+){1,4}-\d{1,2}$/;

/** The account in a credential of type aws. @throws NodeFailure for invalid fields */
export function awsAccountOf(credential: JsonObject): S3Account {
  const region = (textField(credential, 'region') ?? '').trim() || 'us-east-1';
  if (!REGION.test(region)) throw new NodeFailure(`Invalid AWS region: "${region.slice(0, 100)}"`);
  const own = field(credential, 'customEndpoints') === true ? (textField(credential, 's3Endpoint') ?? '') : '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return {
    endpoint: endpointOf(own === '' ? `https://s3.${region}.${domain}` : own.replace('{region}', region)),
    // A custom endpoint has a certificate for its own host name only.
    pathStyle: own !== '',
    region,
    allowUnauthorizedCerts: false,
    ...keysOf(credential),
  };
}
