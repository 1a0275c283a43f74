import type { ContentPart } from '@weft/models';
import { numberField } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../shared/read-parameter';
import { callModel } from '../vendor/call-model';
import { fileNames, filePart } from '../vendor/file-parts';
import { modelIdOf, optionsOf, promptOf } from '../vendor/read-parameters';
import type { SingleOperation } from '../vendor/single-operation';
import { anthropicModel, itemOfResponse } from './anthropic-service';
import { filePartAt } from './files';

/** Tokens of an answer by default. */
const ANSWER_TOKENS = 1_024;

/** Asks a model about files. @param addresses parameter with their addresses @param mimeType type of files there */
export const analyze =
  (addresses: string, mimeType: string): SingleOperation =>
  async (context, itemIndex, budget) => {
    const text = promptOf(context, 'text', itemIndex);
    const isAddress = textParameter(context, 'inputType', itemIndex, 'url') === 'url';
    const files: ContentPart[] = [];
    for (const name of fileNames(context, isAddress ? addresses : 'binaryPropertyName', itemIndex))
      files.push(
        isAddress
          ? await filePartAt(context, name, mimeType, { itemIndex, budget })
          : await filePart(context, name, itemIndex),
      );
    const { raw } = await callModel(
      context,
      anthropicModel(modelIdOf(context, itemIndex)),
      {
        messages: [{ role: 'user', content: [...files, { type: 'text', text }] }],
        settings: { maxTokens: numberField(optionsOf(context, itemIndex), 'maxTokens') ?? ANSWER_TOKENS },
      },
      itemIndex,
    );
    return [{ json: itemOfResponse(raw, booleanParameter(context, 'simplify', itemIndex, true)) }];
  };
