import { isObject } from '@weft/service-kit/json';
import { booleanParameter, objectsParameter, type ParameterSource, textParameter } from '../read-parameter';

type Headers = Record<string, string>;

/** Fields that are permission switches. Their headers are empty: see the permissions in the S3 guide. */
const GRANTS: Readonly<Record<string, string>> = {
  grantFullControl: 'x-amz-grant-full-control',
  grantRead: 'x-amz-grant-read',
  grantReadAcp: 'x-amz-grant-read-acp',
  grantWrite: 'x-amz-grant-write',
  grantWriteAcp: 'x-amz-grant-write-acp',
};

/** Fields whose value is sent unchanged. */
const STATED: Readonly<Record<string, string>> = {
  serverSideEncryption: 'x-amz-server-side-encryption',
  encryptionAwsKmsKeyId: 'x-amz-server-side-encryption-aws-kms-key-id',
  serverSideEncryptionContext: 'x-amz-server-side-encryption-context',
  serversideEncryptionCustomerAlgorithm: 'x-amz-server-side-encryption-customer-algorithm',
  serversideEncryptionCustomerKey: 'x-amz-server-side-encryption-customer-key',
  serversideEncryptionCustomerKeyMD5: 'x-amz-server-side-encryption-customer-key-MD5',
};

/** Fields whose value is sent in capitals. */
const CAPITALS: Readonly<Record<string, string>> = {
  lockMode: 'x-amz-object-lock-mode',
  taggingDirective: 'x-amz-tagging-directive',
  metadataDirective: 'x-amz-metadata-directive',
};

const STORAGE_CLASSES: Readonly<Record<string, string>> = {
  deepArchive: 'DEEP_ARCHIVE',
  glacier: 'GLACIER',
  intelligentTiering: 'INTELLIGENT_TIERING',
  onezoneIA: 'ONEZONE_IA',
  RecudedRedundancy: 'REDUCED_REDUNDANCY',
  standard: 'STANDARD',
  standardIA: 'STANDARD_IA',
};

const hyphenated = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (capital) => `-${capital}`).toLowerCase();

/** Headers for the additional fields of an operation. Fields that the operation does not have are ignored. */
export const fieldHeaders = (source: ParameterSource, itemIndex: number): Headers => {
  const headers: Headers = {};
  const text = (name: string): string => textParameter(source, `additionalFields.${name}`, itemIndex);
  const isOn = (name: string): boolean => booleanParameter(source, `additionalFields.${name}`, itemIndex);
  const add = (table: Readonly<Record<string, string>>, valueOf: (given: string) => string): void => {
    for (const [field, header] of Object.entries(table)) if (text(field) !== '') headers[header] = valueOf(text(field));
  };
  for (const [field, header] of Object.entries(GRANTS)) if (isOn(field)) headers[header] = '';
  add(STATED, (given) => given);
  add(CAPITALS, (given) => given.toUpperCase());
  if (text('acl') !== '') headers['x-amz-acl'] = hyphenated(text('acl'));
  if (text('storageClass') !== '')
    headers['x-amz-storage-class'] = STORAGE_CLASSES[text('storageClass')] ?? text('storageClass');
  if (isOn('requesterPays')) headers['x-amz-request-payer'] = 'requester';
  if (isOn('bucketObjectLockEnabled')) headers['x-amz-bucket-object-lock-enabled'] = 'true';
  if (isOn('lockLegalHold')) headers['x-amz-object-lock-legal-hold'] = 'ON';
  const until = text('lockRetainUntilDate');
  if (until !== '') headers['x-amz-object-lock-retain-until-date'] = isoDate(until);
  return headers;
};

const isoDate = (given: string): string => {
  const date = new Date(given);
  return Number.isNaN(date.getTime()) ? given : date.toISOString();
};

/** The header for the tags of a file. */
export const tagHeaders = (source: ParameterSource, itemIndex: number): Headers => {
  const tags = objectsParameter(source, 'tagsUi.tagsValues', itemIndex)
    .filter(isObject)
    .map(({ key, value }) => `${encodeURIComponent(String(key ?? ''))}=${encodeURIComponent(String(value ?? ''))}`);
  return tags.length === 0 ? {} : { 'x-amz-tagging': tags.join('&') };
};
