import { booleanParameter } from '../read-parameter';
import { fieldHeaders } from './headers';
import { entryItems, limitOf, listQuery, SUCCESS, textOf } from './parameters';
import type { S3Operation } from './run-s3';
import { bucketXml } from './xml';

/** The region for which servers accept no location constraint. */
const FIRST_REGION = 'us-east-1';

export const createBucket: S3Operation = async (call) => {
  const { client, context, index } = call;
  const region = textOf(call, 'additionalFields.region') || client.region;
  await client.send(
    {
      method: 'PUT',
      bucket: textOf(call, 'name'),
      headers: fieldHeaders(context, index),
      ...(region === FIRST_REGION ? {} : { body: bucketXml(region, index) }),
    },
    index,
  );
  return SUCCESS;
};

/** Deletes a bucket, which must be empty. */
export const deleteBucket: S3Operation = async (call) => {
  await call.client.send({ method: 'DELETE', bucket: textOf(call, 'name') }, call.index);
  return SUCCESS;
};

/** Lists the buckets of the account. */
export const listBuckets: S3Operation = async (call) => {
  const limit = limitOf(call);
  const all = await call.client.list({ method: 'GET' }, 'ListAllMyBucketsResult.Buckets.Bucket', limit, call.index);
  return entryItems(all.slice(0, limit));
};

/** Lists the files of a bucket that match a search. */
export const searchBucket: S3Operation = async (call) => {
  const { client, context, dialect, index } = call;
  const field = (name: string): string => textOf(call, `additionalFields.${name}`);
  const limit = limitOf(call);
  const delimiter = dialect.hasDelimiter ? field('delimiter') : '';
  const query = {
    ...listQuery(call, 'additionalFields'),
    ...(field('prefix') === '' ? {} : { prefix: field('prefix') }),
    ...(field('encodingType') === '' ? {} : { 'encoding-type': field('encodingType') }),
    ...(field('startAfter') === '' ? {} : { 'start-after': field('startAfter') }),
    ...(delimiter === '' ? {} : { delimiter }),
    ...(limit > 1000 ? {} : { 'max-keys': String(limit) }),
  };
  const givesPrefixes = delimiter !== '' && booleanParameter(context, 'additionalFields.includeCommonPrefixes', index);
  const property = givesPrefixes ? 'ListBucketResult.CommonPrefixes' : 'ListBucketResult.Contents';
  const { 'x-amz-request-payer': payer } = fieldHeaders(context, index);
  const found = await client.list(
    {
      method: 'GET',
      bucket: textOf(call, 'bucketName'),
      query,
      ...(payer === undefined ? {} : { headers: { 'x-amz-request-payer': payer } }),
    },
    property,
    limit,
    index,
  );
  return entryItems(found.slice(0, limit));
};
