import type { NodeContext } from '@weft/engine';
import { NodeFailure } from '@weft/engine';
import type { ContentPart } from '@weft/models';
import { type Json, type JsonObject, isJsonObject, listField, textField } from '@weft/node-catalogue';
import { loadFile } from '../../shared/files/item-files';
import { booleanParameter, numberParameter, textParameter } from '../../shared/read-parameter';
import { download, type Place, typeOfAddress } from '../vendor/download';
import { addressPart } from '../vendor/file-parts';
import { optionsOf, pathId } from '../vendor/read-parameters';
import { addressOf, requestJson, type ServiceRequest } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { ANTHROPIC, withFeatures } from './anthropic-service';

/** Files of one page, and the largest number of pages. */
const [PAGE, MAX_PAGES] = [1_000, 100];

/** A request about files. */
const ask = (context: NodeContext, request: ServiceRequest): Promise<JsonObject> =>
  requestJson(context, ANTHROPIC, { ...request, headers: withFeatures() });

/** Uploads a file of the item, or one from an address. */
export const uploadFile: SingleOperation = async (context, itemIndex, budget) => {
  const place = { itemIndex, budget };
  const isAddress = textParameter(context, 'inputType', itemIndex, 'url') === 'url';
  const source = textParameter(context, isAddress ? 'fileUrl' : 'binaryPropertyName', itemIndex);
  const name = textField(optionsOf(context, itemIndex), 'fileName') || 'file';
  return [{ json: await withUrl(context, await upload(context, source, isAddress, name, place), itemIndex) }];
};

/** Facts of a file. */
export const getFile: SingleOperation = async (context, itemIndex, budget) => {
  const file = await ask(context, {
    method: 'GET',
    path: `/v1/files/${pathId(context, 'fileId', itemIndex)}`,
    itemIndex,
    budget,
  });
  return [{ json: await withUrl(context, file, itemIndex) }];
};

/** Deletes a file. */
export const deleteFile: SingleOperation = async (context, itemIndex, budget) => [
  {
    json: await ask(context, {
      method: 'DELETE',
      path: `/v1/files/${pathId(context, 'fileId', itemIndex)}`,
      itemIndex,
      budget,
    }),
  },
];

/** Lists the files of the account, an item for each. @throws NodeFailure for more than 100,000 files */
export const listFiles: SingleOperation = async (context, itemIndex, budget) => {
  const returnsAll = booleanParameter(context, 'returnAll', itemIndex, false);
  const limit = returnsAll ? PAGE : numberParameter(context, 'limit', itemIndex, 50);
  const files: Json[] = [];
  for (let page = 0, after: string | undefined; ; page += 1) {
    if (page >= MAX_PAGES)
      throw new NodeFailure(`The account has more than ${PAGE * MAX_PAGES} files`, {
        itemIndex,
        description: 'Turn off "Return all" and set a limit.',
      });
    const query = [['limit', limit], ...(after === undefined ? [] : [['after_id', after] as const])] as const;
    const found = await ask(context, { method: 'GET', path: '/v1/files', query, itemIndex, budget });
    files.push(...listField(found, 'data'));
    after = textField(found, 'last_id');
    if (!returnsAll || found['has_more'] !== true || after === undefined) break;
  }
  const address = await filesAddress(context, itemIndex);
  return files
    .filter(isJsonObject)
    .map((file) => ({ json: { ...file, url: `${address}${textField(file, 'id') ?? ''}` } }));
};

/**
 * A file at an address as a part of a message: one that is stored at the service by its ID.
 * @param mimeType type of the file; undefined: its server is asked
 */
export async function filePartAt(
  context: NodeContext,
  url: string,
  mimeType: string | undefined,
  place: Place,
): Promise<ContentPart> {
  const id = await storedId(context, url, place.itemIndex);
  if (id === undefined)
    return addressPart(url, mimeType ?? (await typeOfAddress(context, url, place)), place.itemIndex);
  if (mimeType !== undefined) return { type: 'fileId', mimeType, id };
  const facts = await ask(context, { ...place, method: 'GET', path: `/v1/files/${encodeURIComponent(id)}` });
  return { type: 'fileId', mimeType: textField(facts, 'mime_type') ?? 'application/octet-stream', id };
}

/** A file for code that the service runs: it is uploaded unless it is stored there. */
export async function uploadedPart(
  context: NodeContext,
  source: string,
  isAddress: boolean,
  place: Place,
): Promise<ContentPart> {
  const stored = isAddress ? await storedId(context, source, place.itemIndex) : undefined;
  const id = stored ?? textField(await upload(context, source, isAddress, 'file', place), 'id');
  if (id === undefined)
    throw new NodeFailure('The service gave no ID for the uploaded file. Check the address in the credential.', {
      itemIndex: place.itemIndex,
    });
  return { type: 'fileId', mimeType: 'application/octet-stream', id, forCode: true };
}

async function upload(
  context: NodeContext,
  source: string,
  isAddress: boolean,
  fileName: string,
  place: Place,
): Promise<JsonObject> {
  const { bytes, mimeType } = isAddress
    ? await downloaded(context, source, place)
    : await ofItem(context, source, place.itemIndex);
  const parts = [{ name: 'file', bytes, mimeType, fileName }];
  return ask(context, { ...place, path: '/v1/files', body: { kind: 'multipart', parts } });
}

async function downloaded(context: NodeContext, url: string, place: Place) {
  const { body: bytes, mimeType } = await download(context, url, 'application/octet-stream', place);
  return { bytes, mimeType };
}

async function ofItem(context: NodeContext, property: string, itemIndex: number) {
  const { bytes, reference } = await loadFile(context, itemIndex, property);
  return { bytes, mimeType: reference.mimeType };
}

/** The ID in the address of a file that is stored at the service. */
async function storedId(context: NodeContext, url: string, itemIndex: number): Promise<string | undefined> {
  const address = await filesAddress(context, itemIndex);
  return url.startsWith(address) ? url.slice(address.length) : undefined;
}

const filesAddress = async (context: NodeContext, itemIndex: number): Promise<string> =>
  `${addressOf(ANTHROPIC, await context.credential(ANTHROPIC.credentialType), itemIndex)}/v1/files/`;

const withUrl = async (context: NodeContext, file: JsonObject, itemIndex: number): Promise<JsonObject> => ({
  ...file,
  url: `${await filesAddress(context, itemIndex)}${textField(file, 'id') ?? ''}`,
});
