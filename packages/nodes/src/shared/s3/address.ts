import { NodeFailure } from '@weft/engine';
import { withoutTrailing } from '@weft/service-kit/text';

/** The server and its style of bucket addressing. */
export interface S3Server {
  /** Absolute URL, optionally with a path. */
  readonly endpoint: URL;
  /** True if buckets are part of the path, false if they are part of the host. */
  readonly pathStyle: boolean;
}

/** Subject of a request. A bucket without a key is the bucket itself; neither is the account. */
export interface S3Place {
  readonly bucket?: string;
  readonly key?: string;
}

/** Bucket names that are safe in a host name or a path, including the capitals of old buckets. */
const BUCKET = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/;
/** Maximum bytes of a key. */
const MAX_KEY_BYTES = 1024;

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** A key as a path, each segment encoded. @throws NodeFailure for a key that a URL cannot represent */
export const keyPath = (key: string, itemIndex: number): string => {
  if (key === '') throw new NodeFailure('The key of the file is missing', { itemIndex });
  if (Buffer.byteLength(key) > MAX_KEY_BYTES)
    throw new NodeFailure(`The key has more than ${MAX_KEY_BYTES} bytes`, { itemIndex });
  if (!key.isWellFormed()) throw new NodeFailure('The key is not valid Unicode', { itemIndex });
  const parts = key.split('/');
  // URLs resolve these, encoded or not: the request would be for another file or another bucket.
  if (parts.some((part) => part === '.' || part === '..'))
    throw new NodeFailure('The key must not have "." or ".." as a path segment', { itemIndex });
  return parts.map(encoded).join('/');
};

/** @throws NodeFailure for an invalid bucket name */
export const checkBucket = (bucket: string, itemIndex: number): void => {
  if (!BUCKET.test(bucket) || bucket.includes('..'))
    throw new NodeFailure(`Invalid bucket name: "${bucket.slice(0, 100)}"`, {
      itemIndex,
      description: 'Use 3 to 63 letters, digits, dots and hyphens.',
    });
};

/** The URL of a request. @throws NodeFailure for a bucket or a key that it cannot represent */
export const addressOf = (
  { endpoint, pathStyle }: S3Server,
  { bucket, key }: S3Place,
  query: Readonly<Record<string, string>>,
  itemIndex: number,
): URL => {
  const url = new URL(endpoint);
  const base = withoutTrailing(url.pathname, '/');
  if (bucket !== undefined) checkBucket(bucket, itemIndex);
  // A wildcard certificate for buckets does not match names with dots.
  const inPath = pathStyle || bucket?.includes('.') === true;
  if (bucket !== undefined && !inPath) url.host = `${bucket}.${url.host}`;
  const bucketPath = bucket === undefined || !inPath ? '' : `/${bucket}`;
  const path = key === undefined ? bucketPath || '/' : `${bucketPath}/${keyPath(key, itemIndex)}`;
  url.pathname = `${base}${path}`;
  url.search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');
  return url;
};

/** The source of a copy, `/bucket/key` with an optional version, encoded for its header. */
export const copySource = (source: string, itemIndex: number): string => {
  const [, path = '', version] = /^\/?(.*?)(\?versionId=[\w.-]+)?$/s.exec(source) ?? [];
  const at = path.indexOf('/');
  if (at < 1) throw new NodeFailure('The source must be "/bucket/key"', { itemIndex });
  checkBucket(path.slice(0, at), itemIndex);
  return `/${path.slice(0, at)}/${keyPath(path.slice(at + 1), itemIndex)}${version ?? ''}`;
};
