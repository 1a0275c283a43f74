import { NodeFailure } from '@weft/engine';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML cannot represent, escaped or not. */
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const escaped = (text: string, itemIndex: number): string => {
  if (NOT_XML.test(text)) throw new NodeFailure('The name has a character that S3 cannot transfer', { itemIndex });
  return text
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
    .replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
};

/** The body of a request that creates a bucket in a region. */
export const bucketXml = (region: string, itemIndex: number): Uint8Array =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><CreateBucketConfiguration xmlns="${NAMESPACE}">` +
      `<LocationConstraint>${escaped(region, itemIndex)}</LocationConstraint></CreateBucketConfiguration>`,
  );

/** The body of a request that deletes files. */
export const deleteXml = (keys: readonly string[], itemIndex: number): Uint8Array =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="${NAMESPACE}">` +
      `${keys.map((key) => `<Object><Key>${escaped(key, itemIndex)}</Key></Object>`).join('')}</Delete>`,
  );
