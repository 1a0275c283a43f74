import type { Json, JsonObject } from '@weft/node-catalogue';
import { Builder } from 'xml2js';
import { type Item, messageOf, NodeFailure } from '@weft/engine';
import { type ParameterSource, booleanParameter, textParameter } from '../shared/read-parameter';

const MAX_LEVELS = 400;
const MAX_VALUES = 200_000;

/** The item as an XML document, in a field. @throws NodeFailure for items that XML cannot represent. */
export function jsonToXml(context: ParameterSource, item: Item, itemIndex: number): JsonObject {
  checkSize(item.json, itemIndex);
  const is = (name: string, initial: boolean): boolean =>
    booleanParameter(context, `options.${name}`, itemIndex, initial);
  const key = (name: string, initial: string): string =>
    textParameter(context, `options.${name}`, itemIndex, initial) || initial;
  const builder = new Builder({
    attrkey: key('attrkey', '$'),
    charkey: key('charkey', '_'),
    rootName: key('rootName', 'root'),
    cdata: is('cdata', false),
    headless: is('headless', false),
    allowSurrogateChars: is('allowSurrogateChars', false),
  });
  try {
    return {
      [textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data']: builder.buildObject(item.json),
    };
  } catch (cause) {
    throw new NodeFailure(`The item cannot be written as XML: ${messageOf(cause).slice(0, 300)}`, { itemIndex, cause });
  }
}

function checkSize(json: JsonObject, itemIndex: number): void {
  let values = 0;
  const visit = (value: Json, level: number): void => {
    values += 1;
    if (level > MAX_LEVELS)
      throw new NodeFailure(`The item is nested deeper than ${MAX_LEVELS} levels, which is too deep for XML.`, {
        itemIndex,
      });
    if (values > MAX_VALUES)
      throw new NodeFailure(`The item holds more than ${MAX_VALUES} values, which is too many for XML.`, { itemIndex });
    if (typeof value !== 'object' || value === null) return;
    for (const entry of Object.values(value)) visit(entry, level + 1);
  };
  visit(json, 0);
}
