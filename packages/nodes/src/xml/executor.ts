import { type NodeExecutor, output } from '@weft/engine';
import { eachItem } from '../shared/each-item';
import { choiceParameter } from '../shared/read-parameter';
import { jsonToXml } from './json-to-xml';
import { xmlToJson } from './xml-to-json';

/** Reads XML into the items, or writes them as XML. */
export const xml: NodeExecutor = {
  kind: 'xml',
  actsOutside: false,
  run: (context) =>
    output(
      eachItem(context, (item, index) => {
        const mode = choiceParameter(context, 'mode', index, ['xmlToJson', 'jsonToxml']);
        return [{ json: mode === 'xmlToJson' ? xmlToJson(context, item, index) : jsonToXml(context, item, index) }];
      }),
    ),
};
