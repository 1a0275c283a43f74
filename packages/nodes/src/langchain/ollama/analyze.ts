import type { NodeContext } from '@weft/engine';
import type { ChatMessage, ContentPart } from '@weft/models';
import { textParameter } from '../../shared/read-parameter';
import { callModel } from '../vendor/call-model';
import { download, type Place } from '../vendor/download';
import { checkSize, fileNames, filePart } from '../vendor/file-parts';
import { promptOf } from '../vendor/read-parameters';
import type { SingleOperation } from '../vendor/single-operation';
import { itemOfResponse, ollamaModel, settingsOf, systemOf } from './ollama-service';

/** Asks a model about images. */
export const analyze: SingleOperation = async (context, itemIndex, budget) => {
  const text = promptOf(context, 'text', itemIndex);
  const isAddress = textParameter(context, 'inputType', itemIndex, 'binary') === 'url';
  const images: ContentPart[] = [];
  for (const name of fileNames(context, isAddress ? 'imageUrls' : 'binaryPropertyName', itemIndex))
    images.push(
      isAddress ? await imageAt(context, name, { itemIndex, budget }) : await filePart(context, name, itemIndex),
    );
  const question: ChatMessage = { role: 'user', content: [{ type: 'text', text }, ...images] };
  const call = {
    messages: [...systemOf(context, itemIndex), question],
    settings: settingsOf(context, itemIndex),
  };
  const { raw } = await callModel(context, ollamaModel(context, itemIndex), call, itemIndex);
  return [{ json: itemOfResponse(context, itemIndex, raw) }];
};

/** An image at an address: the server gets its bytes, for it fetches nothing. */
async function imageAt(context: NodeContext, url: string, place: Place): Promise<ContentPart> {
  const { body, mimeType } = await download(context, url, 'image/png', place);
  checkSize(url, body, place.itemIndex);
  const type = mimeType === 'application/octet-stream' ? 'image/png' : mimeType;
  return { type: 'file', mimeType: type, data: Buffer.from(body).toString('base64') };
}
