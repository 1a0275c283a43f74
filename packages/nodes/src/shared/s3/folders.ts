import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { fieldHeaders } from './headers';
import { entryField, entryItems, limitOf, listQuery, SUCCESS, textOf } from './parameters';
import type { S3Operation } from './run-s3';
import { contentMd5 } from './s3-client';
import { deleteXml } from './xml';

/** Maximum number of files that one request deletes. */
const DELETED_AT_ONCE = 1_000;

/** Creates a folder: an empty file whose key ends with a slash. */
export const createFolder: S3Operation = async (call) => {
  const { client, context, dialect, index } = call;
  const parent = textOf(call, 'additionalFields.parentFolderKey');
  const above = parent === '' ? '' : dialect.joinsParents ? `${parent}/` : parent;
  const key = `${above}${textOf(call, 'folderName')}/`;
  await client.sendToBucket(
    { method: 'PUT', bucket: textOf(call, 'bucketName'), key, headers: fieldHeaders(context, index) },
    index,
  );
  return SUCCESS;
};

/** Deletes all files whose keys begin with the key of the folder. */
export const deleteFolder: S3Operation = async (call) => {
  const { client, index } = call;
  const bucket = textOf(call, 'bucketName');
  const folder = textOf(call, 'folderKey');
  // An empty prefix would match all files of the bucket.
  if (folder === '') throw new NodeFailure('The key of the folder is missing', { itemIndex: index });
  const query = { 'list-type': '2', prefix: folder };
  const found = await client.list({ method: 'GET', bucket, query }, 'ListBucketResult.Contents', Infinity, index);
  if (found.length === 0) {
    await client.sendToBucket({ method: 'DELETE', bucket, key: folder }, index);
    return [{ json: { deleted: [{ Key: folder }] } }];
  }
  const deleted: Json[] = [];
  for (let at = 0; at < found.length; at += DELETED_AT_ONCE) {
    const keys = found.slice(at, at + DELETED_AT_ONCE).map((entry) => entryField(entry, 'Key'));
    const body = deleteXml(keys, index);
    const headers = { 'content-type': 'application/xml', 'content-md5': contentMd5(body) };
    const response = await client.sendToBucket({ method: 'POST', bucket, query: { delete: '' }, headers, body }, index);
    const result = (await client.read(response, index))['DeleteResult'] ?? null;
    const part = isJsonObject(result) ? (result['Deleted'] ?? []) : [];
    deleted.push(...(Array.isArray(part) ? part : [part]));
    const failed = isJsonObject(result) ? result['Error'] : undefined;
    if (failed !== undefined) {
      const [first = null] = Array.isArray(failed) ? failed : [failed];
      throw new NodeFailure(
        `The S3 server did not delete "${entryField(first, 'Key')}": ${entryField(first, 'Message')}`,
        { itemIndex: index },
      );
    }
  }
  return [{ json: { deleted: deleted.length === 1 ? (deleted[0] ?? null) : deleted } }];
};

/** Lists the folders: the empty files whose keys end with a slash. */
export const listFolders: S3Operation = async (call) => {
  const limit = limitOf(call);
  const folder = textOf(call, 'options.folderKey');
  const query = { ...listQuery(call, 'options'), ...(folder === '' ? {} : { prefix: folder }) };
  const all = await call.client.list(
    { method: 'GET', bucket: textOf(call, 'bucketName'), query },
    'ListBucketResult.Contents',
    limit,
    call.index,
  );
  const isFolder = (entry: Json): boolean => {
    const key = entryField(entry, 'Key');
    return key.endsWith('/') && entryField(entry, 'Size') === '0' && key !== folder;
  };
  return entryItems(all.filter(isFolder).slice(0, limit));
};
