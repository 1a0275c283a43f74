import { isJsonObject } from '@weft/node-catalogue';
import { type NodeExecutor, output } from '@weft/engine';
import { eachTextItem } from '../shared/file-formats/each-text-item';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { jsonToXml, xmlToJson } from './read-options';

/** Reads XML into the items, or writes them as XML. */
export const xml: NodeExecutor = {
  kind: 'xml',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachTextItem(
        context,
        (item, index) =>
          choiceParameter(context, 'mode', index, ['xmlToJson', 'jsonToxml']) === 'xmlToJson'
            ? xmlToJson(context, item, index)
            : jsonToXml(context, item, index),
        (_item, value, itemIndex) => {
          if (typeof value === 'string')
            return [{ json: { [textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data']: value } }];
          return isJsonObject(value) ? [{ json: value }] : [];
        },
      ),
    ),
};
