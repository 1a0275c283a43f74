import { type NodeContext, NodeFailure } from '@weft/engine';
import { type JsonObject, objectField, textField } from '@weft/node-catalogue';
import type { ContentPart } from '@weft/models';
import { loadFile } from '../../shared/files/item-files';
import { textParameter } from '../../shared/read-parameter';
import { download, type Place } from '../vendor/download';
import { fileNames } from '../vendor/file-parts';
import { addressOf, jsonOf, requestAddress, requestJson, requestService } from '../vendor/service';
import { GEMINI } from './gemini-service';

/** Milliseconds between two looks at a file that the service processes, and the number of looks. */
const [LOOK_MS, MAX_LOOKS] = [1_000, 300];

/** A file at the service. */
export interface UploadedFile {
  readonly fileUri: string;
  readonly mimeType: string;
}

/** Parameters that say where files come from. */
export interface FileSource {
  /** Parameter with addresses, separated by commas. */
  readonly addresses: string;
  /** Media type of files whose server names none. */
  readonly mimeType: string;
}

/** The files of an item at the service, as parts of a message. @throws NodeFailure without a file, and for too many */
export async function fileParts(context: NodeContext, source: FileSource, place: Place): Promise<ContentPart[]> {
  const { itemIndex } = place;
  const isAddress = textParameter(context, 'inputType', itemIndex, 'url') === 'url';
  const names = fileNames(context, isAddress ? source.addresses : 'binaryPropertyName', itemIndex);
  const parts: ContentPart[] = [];
  for (const name of names) {
    const { fileUri, mimeType } = isAddress
      ? await fileOfAddress(context, name, source.mimeType, place)
      : await uploadProperty(context, name, place);
    parts.push({ type: 'fileUrl', mimeType, url: fileUri });
  }
  return parts;
}

/** Uploads a file of the item. */
export async function uploadProperty(context: NodeContext, property: string, place: Place): Promise<UploadedFile> {
  const { reference, bytes } = await loadFile(context, place.itemIndex, property);
  return upload(context, bytes, reference.mimeType, place);
}

/** Downloads a file from an address, and uploads it; a file at the service stays there. */
export async function fileOfAddress(
  context: NodeContext,
  url: string,
  fallbackType: string,
  place: Place,
): Promise<UploadedFile> {
  const own = addressOf(GEMINI, await context.credential(GEMINI.credentialType), place.itemIndex);
  if (url.startsWith(`${own}/`)) {
    const known = await requestJson(context, GEMINI, { ...place, method: 'GET', path: url });
    return { fileUri: url, mimeType: textField(known, 'mimeType') ?? fallbackType };
  }
  const { body, mimeType } = await download(context, url, fallbackType, place);
  return upload(context, body, mimeType, place);
}

/** Uploads bytes, and waits until the service has processed them. @throws NodeFailure with the words of the service */
export async function upload(
  context: NodeContext,
  bytes: Uint8Array,
  mimeType: string,
  place: Place,
): Promise<UploadedFile> {
  const { itemIndex } = place;
  const begun = await requestService(context, GEMINI, {
    ...place,
    path: '/upload/v1beta/files',
    headers: [
      ['X-Goog-Upload-Protocol', 'resumable'],
      ['X-Goog-Upload-Command', 'start'],
      ['X-Goog-Upload-Header-Content-Length', String(bytes.length)],
      ['X-Goog-Upload-Header-Content-Type', mimeType],
    ],
    body: { kind: 'json', value: {} },
  });
  const url = begun.headers['x-goog-upload-url'];
  if (typeof url !== 'string')
    throw new NodeFailure('The service gave no address for the upload. Check the host of the credential.', {
      itemIndex,
    });
  const response = await requestAddress(context, {
    ...place,
    path: url,
    headers: [
      ['X-Goog-Upload-Offset', '0'],
      ['X-Goog-Upload-Command', 'upload, finalize'],
    ],
    body: { kind: 'bytes', bytes, mimeType },
  });
  const file = objectField(await jsonOf(context, response, itemIndex), 'file') ?? {};
  return untilActive(context, file, place);
}

async function untilActive(context: NodeContext, begun: JsonObject, place: Place): Promise<UploadedFile> {
  const { itemIndex } = place;
  let file = begun;
  for (let looks = 0; ; looks += 1) {
    const state = textField(file, 'state');
    const [fileUri, name] = [textField(file, 'uri'), textField(file, 'name')];
    if (state === 'ACTIVE' && fileUri !== undefined)
      return { fileUri, mimeType: textField(file, 'mimeType') ?? 'application/octet-stream' };
    if (state === 'FAILED' || name === undefined)
      throw new NodeFailure(textField(objectField(file, 'error'), 'message') ?? 'The service could not read the file', {
        itemIndex,
        description: 'The upload of the file failed.',
      });
    if (looks >= MAX_LOOKS)
      throw new NodeFailure(`The service has not processed the file after ${MAX_LOOKS} s`, { itemIndex });
    await context.ports.clock.sleep(LOOK_MS, context.signal);
    file = await requestJson(context, GEMINI, { ...place, method: 'GET', path: `/v1beta/${name}` });
  }
}

/** Uploads one file, and gives its address at the service. */
export const uploadFile = async (context: NodeContext, place: Place): Promise<UploadedFile> => {
  const { itemIndex } = place;
  const isAddress = textParameter(context, 'inputType', itemIndex, 'url') === 'url';
  if (!isAddress)
    return uploadProperty(context, textParameter(context, 'binaryPropertyName', itemIndex, 'data'), place);
  const { body, mimeType } = await download(
    context,
    textParameter(context, 'fileUrl', itemIndex),
    'application/octet-stream',
    place,
  );
  return upload(context, body, mimeType, place);
};
