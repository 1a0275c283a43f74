import type { JsonObject } from '@weft/node-catalogue';

/** Parameters with which a node fails, and its message. */
type Failing = readonly [parameters: JsonObject, message: RegExp];

/** One operation on a real server: its output and a failure. */
export interface ServerOperation {
  /** Parameters of the preceding node runs. */
  readonly after?: readonly JsonObject[];
  readonly run: JsonObject;
  /** JSON of its items, for one item `{ a: 1 }`. */
  readonly gives: unknown;
  /** Content of the file `data` of its item. */
  readonly file?: string;
  /** Parameters with which it then fails, and part of its message; a sentence where only a login can fail. */
  readonly fails: Failing | string;
}

/** By operation, in a separate place on the server. */
export type ServerOperations = (place: string) => Readonly<Record<string, ServerOperation>>;

/** The file `in.txt` that uploads have in field `data` of their item. */
export const FILE_CONTENT = 'hello';

const ftp: ServerOperations = (place) => {
  const path = `${place}/deep/one.txt`;
  const upload = { operation: 'upload', path, binaryData: false, fileContent: '12345' };
  const none = `${place}/none`;
  const refused = /The server refused it|No such file/;
  return {
    delete: {
      after: [upload],
      run: { operation: 'delete', path },
      gives: [{ success: true }],
      fails: [{ operation: 'delete', path }, refused],
    },
    download: {
      after: [upload],
      run: { operation: 'download', path },
      gives: [{ a: 1 }],
      file: '12345',
      fails: [{ operation: 'download', path: none }, refused],
    },
    list: {
      after: [upload],
      run: { operation: 'list', path: `${place}/deep` },
      gives: [expect.objectContaining({ type: '-', name: 'one.txt', size: 5, path })],
      fails: [{ operation: 'list', path: `${place}\r\nDELE x` }, /must not contain control characters/],
    },
    rename: {
      after: [upload],
      run: { operation: 'rename', oldPath: path, newPath: `${place}/deep/two.txt` },
      gives: [{ success: true }],
      fails: [{ operation: 'rename', oldPath: path, newPath: none }, refused],
    },
    upload: {
      run: { operation: 'upload', path },
      gives: [{ a: 1 }],
      fails: [{ operation: 'upload', path: `${path}/below-a-file` }, /refused|Failure|No such file/],
    },
  };
};

const ssh: ServerOperations = (place) => {
  const folder = { resource: 'command', operation: 'execute', command: `mkdir -p ${place}`, cwd: '/' };
  const upload = { resource: 'file', operation: 'upload', path: place };
  const download = { resource: 'file', operation: 'download' };
  return {
    'command execute': {
      after: [folder],
      run: { resource: 'command', operation: 'execute', command: 'echo hi; echo oops >&2; exit 3', cwd: place },
      gives: [{ code: 3, signal: null, stdout: 'hi', stderr: 'oops' }],
      fails: [{ resource: 'command', operation: 'execute', command: 'true', cwd: '~other' }, /Invalid path/],
    },
    'file upload': {
      after: [folder],
      run: upload,
      gives: [{ success: true }],
      fails: [{ ...upload, path: `${place}/none/such` }, /No such file/],
    },
    'file download': {
      after: [folder, upload],
      run: { ...download, path: `${place}/in.txt` },
      gives: [{ a: 1 }],
      file: FILE_CONTENT,
      fails: [{ ...download, path: `${place}/none` }, /No such file/],
    },
  };
};

const s3: ServerOperations = (bucketName) => {
  const bucket = (operation: string) => ({ resource: 'bucket', operation, name: bucketName, bucketName });
  const file = (operation: string, more: JsonObject) => ({ resource: 'file', operation, bucketName, ...more });
  const folder = (operation: string, more: JsonObject) => ({ resource: 'folder', operation, bucketName, ...more });
  const created = bucket('create');
  const put = file('upload', { binaryData: false, fileName: 'year/1.txt', fileContent: '12345' });
  const elsewhere = (parameters: JsonObject) => ({
    ...parameters,
    name: `${bucketName}x`,
    bucketName: `${bucketName}x`,
  });
  const noBucket = /404 NoSuchBucket/;
  const copy = file('copy', { sourcePath: `/${bucketName}/year/1.txt`, destinationPath: `/${bucketName}/2.txt` });
  const missing = { ...copy, sourcePath: `/${bucketName}/none` };
  const download = file('download', { fileKey: 'year/1.txt', binaryPropertyName: 'data' });
  const files = file('getAll', { returnAll: true });
  const folders = folder('getAll', { returnAll: true });
  const makeFolder = folder('create', { folderName: 'may' });
  const withFile = [created, put];
  return {
    'bucket create': { run: created, gives: [{ success: true }], fails: [created, /409 BucketAlready/] },
    'bucket getAll': {
      after: [created],
      run: { ...bucket('getAll'), returnAll: true },
      gives: expect.arrayContaining([expect.objectContaining({ Name: bucketName })]),
      fails: 'The operation only logs in to the server.',
    },
    'bucket search': {
      after: withFile,
      run: { ...bucket('search'), returnAll: true },
      gives: [expect.objectContaining({ Key: 'year/1.txt' })],
      fails: [elsewhere({ ...bucket('search'), returnAll: true }), noBucket],
    },
    'bucket delete': {
      after: [created],
      run: bucket('delete'),
      gives: [{ success: true }],
      fails: [bucket('delete'), noBucket],
    },
    'file copy': {
      after: withFile,
      run: copy,
      gives: [expect.objectContaining({ ETag: expect.any(String) })],
      fails: [missing, /404 NoSuchKey/],
    },
    'file delete': {
      after: withFile,
      run: file('delete', { fileKey: 'year/1.txt' }),
      gives: [{ success: true }],
      fails: [elsewhere(file('delete', { fileKey: 'year/1.txt' })), noBucket],
    },
    'file download': {
      after: withFile,
      run: download,
      gives: [{ a: 1 }],
      file: '12345',
      fails: [{ ...download, fileKey: 'none' }, /404 NoSuchKey/],
    },
    'file upload': {
      after: [created],
      run: put,
      gives: [expect.any(Object)],
      fails: [elsewhere(put), noBucket],
    },
    'file getAll': {
      after: withFile,
      run: { ...files, options: { folderKey: 'year/' } },
      gives: [expect.objectContaining({ Key: 'year/1.txt' })],
      fails: [elsewhere(files), noBucket],
    },
    'folder create': {
      after: [created],
      run: makeFolder,
      gives: [expect.any(Object)],
      fails: [elsewhere(makeFolder), noBucket],
    },
    'folder getAll': {
      after: [created, makeFolder],
      run: folders,
      gives: [expect.objectContaining({ Key: 'may/' })],
      fails: [elsewhere(folders), noBucket],
    },
    'folder delete': {
      after: withFile,
      run: folder('delete', { folderKey: 'year/' }),
      // A single file is not an array, as in n8n.
      gives: [{ deleted: expect.objectContaining({ Key: 'year/1.txt' }) }],
      fails: [folder('delete', { folderKey: '' }), /key of the folder is missing/],
    },
  };
};

/** Kinds of which every operation runs on a real server, for all versions. */
export const SERVER_OPERATIONS: Readonly<Record<'awsS3' | 'ftp' | 's3' | 'ssh', ServerOperations>> = {
  awsS3: s3,
  ftp,
  s3,
  ssh,
};
