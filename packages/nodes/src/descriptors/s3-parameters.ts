import type { OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from './build-parameters';
import { withHelp } from './with-help';

const HELP = {
  resource: 'What to work on.',
  operation: 'The operation to perform.',
  name: 'Name of the bucket.',
  bucketName: 'Name of the bucket.',
  returnAll: 'Whether to return all entries, 100,000 at most.',
  limit: 'Maximum number of entries.',
  sourcePath: 'Bucket and key of the file: `/bucket/folder/file`.',
  destinationPath: 'Bucket and key of the copy: `/bucket/folder/file`.',
  fileName: 'Key of the file, below the parent folder. Default: the name of the file.',
  binaryData: 'Whether to upload a file of the item instead of a string.',
  fileContent: 'The string to upload.',
  binaryPropertyName: 'Name of the binary field.',
  tagsUi: 'Tags of the file.',
  additionalFields: 'Settings of the request that servers may ignore.',
  options: 'Less common settings.',
  fileKey: 'Key of the file.',
  folderName: 'Name of the folder.',
  folderKey: 'Key of the folder: all files whose keys begin with it are deleted.',
} as const;

const choices = (...values: readonly string[]): OptionDescriptor[] => values.map((value) => choice(value, value));

const select = (name: string, label: string, initial: string, ...values: readonly string[]): ParameterDescriptor => ({
  name,
  label,
  type: 'options',
  default: initial,
  options: choices(...values),
});

const RESOURCES = ['bucket', 'file', 'folder'] as const;
type Resource = (typeof RESOURCES)[number];

const shown = (
  resource: Resource,
  operations: readonly string[],
  ...parameters: readonly ParameterDescriptor[]
): ParameterDescriptor[] =>
  parameters.map((one) => ({
    ...one,
    shownWhen: { resource: [resource], operation: operations, ...one.shownWhen },
  }));

const operation = (resource: Resource, initial: string, ...values: readonly string[]): ParameterDescriptor => ({
  ...select('operation', 'Operation', initial, ...values),
  shownWhen: { resource: [resource] },
});

const collection = (name: string, label: string, ...fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name,
  label,
  type: 'collection',
  default: {},
  fields,
});

const bucketName: ParameterDescriptor = { ...text('bucketName', 'Bucket name'), required: true };
const returned: readonly ParameterDescriptor[] = [
  flag('returnAll', 'Return all'),
  { name: 'limit', label: 'Limit', type: 'number', default: 100, shownWhen: { returnAll: [false] } },
];
const requesterPays = flag('requesterPays', 'Requester pays');
const permissions: readonly ParameterDescriptor[] = [
  flag('grantFullControl', 'Grant full control'),
  flag('grantRead', 'Grant read'),
  flag('grantReadAcp', 'Grant read ACP'),
  flag('grantWriteAcp', 'Grant write ACP'),
];
const storageClass = select(
  'storageClass',
  'Storage class',
  'standard',
  ...['deepArchive', 'glacier', 'intelligentTiering', 'onezoneIA', 'standard', 'standardIA'],
);
/** Fields of a file to write. */
const written: readonly ParameterDescriptor[] = [
  select(
    'acl',
    'ACL',
    'private',
    ...['authenticatedRead', 'awsExecRead', 'bucketOwnerFullControl', 'bucketOwnerRead', 'private'],
    ...['publicRead', 'publicReadWrite'],
  ),
  ...permissions,
  flag('lockLegalHold', 'Legal hold'),
  select('lockMode', 'Lock mode', '', 'governance', 'compliance'),
  { name: 'lockRetainUntilDate', label: 'Locked until', type: 'dateTime', default: '' },
  requesterPays,
  select('serverSideEncryption', 'Server-side encryption', '', 'AES256', 'aws:kms'),
  text('serverSideEncryptionContext', 'Encryption context'),
  text('encryptionAwsKmsKeyId', 'KMS key ID'),
  text('serversideEncryptionCustomerAlgorithm', 'Customer algorithm'),
  text('serversideEncryptionCustomerKey', 'Customer key'),
  text('serversideEncryptionCustomerKeyMD5', 'MD5 of the customer key'),
  storageClass,
];
const listed: readonly ParameterDescriptor[] = [
  bucketName,
  ...returned,
  collection('options', 'Options', flag('fetchOwner', 'Fetch owner'), text('folderKey', 'Folder key')),
];

/** The parameters of the S3 kinds. @param prefixesSince version that added common prefixes, if any */
export const s3Parameters = (prefixesSince?: number): ParameterDescriptor[] =>
  withHelp(HELP, [
    select('resource', 'Resource', 'file', ...RESOURCES),
    operation('file', 'download', 'copy', 'delete', 'download', 'getAll', 'upload'),
    operation('bucket', 'create', 'create', 'delete', 'getAll', 'search'),
    ...shown('bucket', ['create', 'delete'], { ...text('name', 'Name'), required: true }),
    ...shown(
      'bucket',
      ['create'],
      collection(
        'additionalFields',
        'Additional fields',
        select('acl', 'ACL', '', 'authenticatedRead', 'Private', 'publicRead', 'publicReadWrite'),
        flag('bucketObjectLockEnabled', 'Object lock'),
        ...permissions,
        flag('grantWrite', 'Grant write'),
        text('region', 'Region'),
      ),
    ),
    ...shown('bucket', ['getAll'], ...returned),
    ...shown(
      'bucket',
      ['search'],
      bucketName,
      ...returned,
      collection(
        'additionalFields',
        'Additional fields',
        {
          ...text('delimiter', 'Delimiter'),
          help: 'Groups keys up to this character. Has no effect before version 2 of awsS3, and in s3.',
        },
        ...(prefixesSince === undefined
          ? []
          : [{ ...flag('includeCommonPrefixes', 'Include common prefixes'), since: prefixesSince }]),
        select('encodingType', 'Encoding of keys', '', 'url'),
        flag('fetchOwner', 'Fetch owner'),
        text('prefix', 'Prefix'),
        requesterPays,
        text('startAfter', 'Start after'),
      ),
    ),
    ...shown(
      'file',
      ['copy'],
      { ...text('sourcePath', 'Source path'), required: true },
      { ...text('destinationPath', 'Destination path'), required: true },
      collection(
        'additionalFields',
        'Additional fields',
        ...written,
        select('metadataDirective', 'Metadata directive', '', 'copy', 'replace'),
        select('taggingDirective', 'Tagging directive', '', 'copy', 'replace'),
      ),
    ),
    ...shown('file', ['upload', 'download', 'delete'], bucketName),
    ...shown('file', ['download', 'delete'], { ...text('fileKey', 'File key'), required: true }),
    ...shown('file', ['download'], text('binaryPropertyName', 'Binary field', 'data')),
    ...shown('file', ['delete'], collection('options', 'Options', text('versionId', 'Version ID'))),
    ...shown('file', ['getAll'], ...listed),
    ...shown(
      'file',
      ['upload'],
      text('fileName', 'File name'),
      flag('binaryData', 'Binary file', true),
      { ...text('fileContent', 'File content', '', { editor: 'multiline' }), shownWhen: { binaryData: [false] } },
      { ...text('binaryPropertyName', 'Binary field', 'data'), shownWhen: { binaryData: [true] } },
      collection('additionalFields', 'Additional fields', ...written, text('parentFolderKey', 'Parent folder key')),
      {
        name: 'tagsUi',
        label: 'Tags',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        groups: [{ name: 'tagsValues', label: 'Tag', fields: [text('key', 'Key'), text('value', 'Value')] }],
      },
    ),
    operation('folder', 'create', 'create', 'delete', 'getAll'),
    ...shown('folder', ['create', 'delete'], bucketName),
    ...shown(
      'folder',
      ['create'],
      { ...text('folderName', 'Folder name'), required: true },
      collection('additionalFields', 'Additional fields', text('parentFolderKey', 'Parent folder key'), requesterPays, {
        ...storageClass,
        options: [...(storageClass.options ?? []), choice('RecudedRedundancy', 'Reduced redundancy')],
      }),
    ),
    ...shown('folder', ['delete'], { ...text('folderKey', 'Folder key'), required: true }),
    ...shown('folder', ['getAll'], ...listed),
  ]);
