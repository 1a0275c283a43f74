import type { NodeContext } from '@weft/engine';
import { isJsonObject, listField, numberField, textField } from '@weft/node-catalogue';
import { booleanParameter } from '../../shared/read-parameter';
import { callModel } from '../vendor/call-model';
import { modelIdOf, optionsOf, promptOf } from '../vendor/read-parameters';
import type { SingleOperation } from '../vendor/single-operation';
import { geminiModel, itemsOfResponse } from './gemini-service';
import { fileParts, type FileSource } from './upload';

/** Sends files and a text to a model. @param textFor the text for an item */
const about =
  (source: FileSource, textFor: (context: NodeContext, itemIndex: number) => string): SingleOperation =>
  async (context, itemIndex, budget) => {
    const text = textFor(context, itemIndex);
    const files = await fileParts(context, source, { itemIndex, budget });
    const { raw } = await callModel(
      context,
      geminiModel(modelIdOf(context, itemIndex)),
      {
        messages: [{ role: 'user', content: [...files, { type: 'text', text }] }],
        settings: { maxTokens: numberField(optionsOf(context, itemIndex), 'maxOutputTokens') },
      },
      itemIndex,
    );
    const candidates = listField(raw, 'candidates').filter(isJsonObject);
    const simplifies = booleanParameter(context, 'simplify', itemIndex, true);
    return itemsOfResponse(raw, candidates, simplifies).map((json) => ({ json }));
  };

/** Asks a model about files. */
export const analyze = (source: FileSource): SingleOperation =>
  about(source, (context, itemIndex) => promptOf(context, 'text', itemIndex));

/** Asks a model for the words of a recording. */
export const transcribe = about({ addresses: 'audioUrls', mimeType: 'audio/mpeg' }, (context, itemIndex) => {
  const options = optionsOf(context, itemIndex);
  const [from, to] = [textField(options, 'startTime') ?? '', textField(options, 'endTime') ?? ''];
  const part = `${from === '' ? '' : ` from ${from}`}${to === '' ? '' : ` to ${to}`}`;
  return `Write a transcript of what is said in the recording${part}.`;
});
