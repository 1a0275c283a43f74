import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { awsAccountOf } from '../aws-s3/executor';
import { s3AccountOf } from '../s3/executor';
import { addressOf } from '../shared/s3/address';
import { signedHeaders } from '../shared/s3/s3-client';
import type { TestResult } from './test-credential';

const MAX_BYTES = 4 * 1024 * 1024;

/** Lists the buckets of an account. Keys without permission are accepted if the server knows them. */
export async function listBuckets(
  http: OutboundHttp,
  type: string,
  data: JsonObject,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<TestResult> {
  const account = type === 'aws' ? awsAccountOf(data) : s3AccountOf(data);
  const url = addressOf(account, {}, {}, 0);
  const { status, body } = await http.request({
    method: 'GET',
    url: url.href,
    headers: await signedHeaders(account, url, { method: 'GET', region: account.region }),
    timeoutMs,
    maxResponseBytes: MAX_BYTES,
    followRedirects: false,
    allowUnauthorizedCerts: account.allowUnauthorizedCerts,
    signal,
  });
  if (status >= 200 && status < 300) return { outcome: 'accepted', message: 'The server accepts the keys.' };
  const code = /<Code>(\w{1,100})<\/Code>/.exec(Buffer.from(body).toString())?.[1] ?? '';
  // Wrong keys have distinct codes: InvalidAccessKeyId, SignatureDoesNotMatch.
  if (status === 403 && code === 'AccessDenied')
    return { outcome: 'accepted', message: 'The server knows the keys, which may not list buckets.' };
  return { outcome: 'refused', message: `The S3 server answered ${status}${code === '' ? '' : ` (${code})`}.` };
}
