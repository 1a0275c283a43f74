import { type Json, isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { loadFile, storeFile } from '../files/item-files';
import { booleanParameter } from '../read-parameter';
import { copySource } from './address';
import { fieldHeaders, tagHeaders } from './headers';
import { entryField, entryItems, limitOf, listQuery, SUCCESS, textOf } from './parameters';
import type { S3Call, S3Operation } from './run-s3';
import { contentMd5 } from './s3-client';

/** Copies a file within the account. Paths are `/bucket/key`. */
export const copyFile: S3Operation = async (call) => {
  const { client, context, index } = call;
  const [, bucket = '', key = ''] = /^\/?([^/]*)\/(.*)$/s.exec(textOf(call, 'destinationPath')) ?? [];
  if (bucket === '') throw new NodeFailure('The destination must be "/bucket/key"', { itemIndex: index });
  const headers = {
    ...fieldHeaders(context, index),
    'x-amz-copy-source': copySource(textOf(call, 'sourcePath'), index),
  };
  const response = await client.sendToBucket({ method: 'PUT', bucket, key, headers }, index);
  const result = (await client.read(response, index))['CopyObjectResult'];
  return [{ json: result !== undefined && isJsonObject(result) ? result : {} }];
};

/** Deletes a file, or one version of it. */
export const deleteFile: S3Operation = async (call) => {
  const version = textOf(call, 'options.versionId');
  await call.client.sendToBucket(
    {
      method: 'DELETE',
      bucket: textOf(call, 'bucketName'),
      key: textOf(call, 'fileKey'),
      ...(version === '' ? {} : { query: { versionId: version } }),
    },
    call.index,
  );
  return SUCCESS;
};

/** Downloads a file into the item. */
export const downloadFile: S3Operation = async (call) => {
  const { client, context, item, index } = call;
  const key = textOf(call, 'fileKey');
  if (key.endsWith('/'))
    throw new NodeFailure('The key ends with "/", so it is a folder. List the folder and download its files', {
      itemIndex: index,
    });
  const response = await client.sendToBucket({ method: 'GET', bucket: textOf(call, 'bucketName'), key }, index);
  const type = response.headers['content-type'];
  const stored = await storeFile(
    context.ports.files,
    response.body,
    key.split('/').at(-1) ?? key,
    typeof type === 'string' ? (type.split(';')[0] ?? '') : '',
  );
  return [{ json: item.json, binary: { ...item.binary, [textOf(call, 'binaryPropertyName') || 'data']: stored } }];
};

/** Lists the files of a folder, without those of its subfolders. */
export const listFiles: S3Operation = async (call) => {
  const limit = limitOf(call);
  const folder = textOf(call, 'options.folderKey');
  const query = { ...listQuery(call, 'options'), delimiter: '/', ...(folder === '' ? {} : { prefix: folder }) };
  const all = await call.client.list(
    { method: 'GET', bucket: textOf(call, 'bucketName'), query },
    'ListBucketResult.Contents',
    limit,
    call.index,
  );
  const isFile = (entry: Json): boolean => !entryField(entry, 'Key').endsWith('/') && entryField(entry, 'Size') !== '0';
  return entryItems(all.slice(0, limit).filter(isFile));
};

/** Uploads a file of the item, or a string. */
export const uploadFile: S3Operation = async (call) => {
  const { client, context, dialect, index } = call;
  const bucket = textOf(call, 'bucketName');
  const { name, body, type, isFile } = await contentOf(call);
  const parent = textOf(call, 'additionalFields.parentFolderKey');
  const key = parent === '' ? name : `${parent}/${name}`;
  const headers = {
    ...fieldHeaders(context, index),
    ...tagHeaders(context, index),
    'content-type': type,
    'content-md5': contentMd5(body),
  };
  const response = await client.sendToBucket({ method: 'PUT', bucket, key, headers, body }, index);
  const tag = response.headers['etag'];
  if (!dialect.tellsUploads || !isFile || typeof tag !== 'string') return SUCCESS;
  return [{ json: { Location: response.url, Bucket: bucket, Key: key, ETag: tag } }];
};

interface Content {
  readonly name: string;
  readonly body: Uint8Array;
  readonly type: string;
  readonly isFile: boolean;
}

async function contentOf(call: S3Call): Promise<Content> {
  const { context, index } = call;
  const given = textOf(call, 'fileName');
  if (!booleanParameter(context, 'binaryData', index)) {
    if (given === '') throw new NodeFailure('The file name is missing', { itemIndex: index });
    const body = Buffer.from(textOf(call, 'fileContent'));
    return { name: given, body, type: 'text/html', isFile: false };
  }
  const { reference, bytes } = await loadFile(context, index, textOf(call, 'binaryPropertyName') || 'data');
  const name = given || reference.fileName;
  if (name === undefined || name === '') throw new NodeFailure('The file has no name: set one', { itemIndex: index });
  return { name, body: bytes, type: reference.mimeType, isFile: true };
}
