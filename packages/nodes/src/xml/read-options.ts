import type { Json, JsonObject } from '@weft/node-catalogue';
import { type Item, NodeFailure } from '@weft/engine';
import type { TextJob } from '../shared/file-formats/tasks';
import { type ParameterSource, booleanParameter, textParameter } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';

/** Maximum number of characters of one document. */
const MAX_TEXT_LENGTH = 4_000_000;
const MAX_LEVELS = 400;
const MAX_VALUES = 200_000;

const readers = (context: ParameterSource, index: number) => ({
  is: (name: string, initial: boolean): boolean => booleanParameter(context, `options.${name}`, index, initial),
  key: (name: string, initial: string): string => textParameter(context, `options.${name}`, index, initial) || initial,
});

/** The document in a field of the item. @throws NodeFailure if it is missing, too long, or not a string */
export function xmlToJson(context: ParameterSource, item: Item, itemIndex: number): TextJob {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data';
  const text = getPath(item.json, name);
  if (text === undefined) throw new NodeFailure(`Item has no JSON property called "${name}"`, { itemIndex });
  if (typeof text !== 'string') throw new NodeFailure(`The field "${name}" must be a string with XML`, { itemIndex });
  if (text.length > MAX_TEXT_LENGTH)
    throw new NodeFailure(`The XML is longer than ${MAX_TEXT_LENGTH} characters.`, { itemIndex });
  const { is, key } = readers(context, itemIndex);
  return {
    kind: 'readXml',
    input: {
      text,
      attrkey: key('attrkey', '$'),
      charkey: key('charkey', '_'),
      explicitRoot: is('explicitRoot', true),
      explicitArray: is('explicitArray', false),
      mergeAttrs: is('mergeAttrs', true),
      ignoreAttrs: is('ignoreAttrs', false),
      normalize: is('normalize', false),
      trim: is('trim', false),
      lowersNames: is('normalizeTags', false),
    },
  };
}

/** The item to write as a document. @throws NodeFailure if it is too large or too deep for XML */
export function jsonToXml(context: ParameterSource, item: Item, itemIndex: number): TextJob {
  checkSize(item.json, itemIndex);
  const { is, key } = readers(context, itemIndex);
  return {
    kind: 'writeXml',
    input: {
      json: JSON.stringify(item.json),
      attrkey: key('attrkey', '$'),
      charkey: key('charkey', '_'),
      rootName: key('rootName', 'root'),
      cdata: is('cdata', false),
      headless: is('headless', false),
      allowSurrogateChars: is('allowSurrogateChars', false),
    },
  };
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
      throw new NodeFailure(`The item has more than ${MAX_VALUES} values, which is too many for XML.`, { itemIndex });
    if (typeof value !== 'object' || value === null) return;
    for (const entry of Object.values(value)) visit(entry, level + 1);
  };
  visit(json, 0);
}
