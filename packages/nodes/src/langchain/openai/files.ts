import { isJsonObject, listField, textField } from '@weft/node-catalogue';
import { textParameter } from '../../shared/read-parameter';
import { optionsOf, pathId } from '../vendor/read-parameters';
import { requestJson } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { OPENAI } from './openai-service';

/** Purposes of uploads by default: that of version 1, and that of later ones. */
const [OLDER_PURPOSE, PURPOSE] = ['assistants', 'user_data'];

/** Uploads a file of the item. */
export const uploadFile: SingleOperation = async (context, itemIndex, budget) => {
  const purpose =
    textField(optionsOf(context, itemIndex), 'purpose') || (context.version < 2 ? OLDER_PURPOSE : PURPOSE);
  const file = textParameter(context, 'binaryPropertyName', itemIndex);
  const parts = [
    { name: 'purpose', value: purpose },
    { name: 'file', file },
  ];
  const json = await requestJson(context, OPENAI, {
    path: '/files',
    body: { kind: 'multipart', parts },
    itemIndex,
    budget,
  });
  return [{ json }];
};

/** Lists the files of the account, an item for each. */
export const listFiles: SingleOperation = async (context, itemIndex, budget) => {
  const purpose = textField(optionsOf(context, itemIndex), 'purpose') ?? '';
  const query = purpose === '' || purpose === 'any' ? [] : [['purpose', purpose] as const];
  const response = await requestJson(context, OPENAI, { method: 'GET', path: '/files', query, itemIndex, budget });
  return listField(response, 'data')
    .filter(isJsonObject)
    .map((json) => ({ json }));
};

/** Deletes a file. */
export const deleteFile: SingleOperation = async (context, itemIndex, budget) => {
  const path = `/files/${pathId(context, 'fileId', itemIndex)}`;
  return [{ json: await requestJson(context, OPENAI, { method: 'DELETE', path, itemIndex, budget }) }];
};
