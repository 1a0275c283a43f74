import type { JsonObject } from '@weft/node-catalogue';
import { Parser, processors } from 'xml2js';
import { type Item, messageOf, NodeFailure } from '@weft/engine';
import { type ParameterSource, booleanParameter, textParameter, toJsonObject } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';

/** Limit in characters of one document. Parsing blocks the process. */
const MAX_TEXT_LENGTH = 4_000_000;

/**
 * The document in a field of the item, as JSON.
 * @throws NodeFailure if it is missing, too long, or not XML.
 */
export function xmlToJson(context: ParameterSource, item: Item, itemIndex: number): JsonObject {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data';
  const text = getPath(item.json, name);
  if (text === undefined) throw new NodeFailure(`Item has no JSON property called "${name}"`, { itemIndex });
  if (typeof text !== 'string')
    throw new NodeFailure(`The field "${name}" holds no text, so it holds no XML`, { itemIndex });
  if (text.length > MAX_TEXT_LENGTH)
    throw new NodeFailure(`The XML is longer than ${MAX_TEXT_LENGTH} characters.`, { itemIndex });
  let json: JsonObject | undefined;
  try {
    json = toJsonObject(parsed(text, context, itemIndex));
  } catch (cause) {
    throw new NodeFailure(`The XML cannot be read: ${messageOf(cause).replace(/\s+/g, ' ').slice(0, 300)}`, {
      itemIndex,
      cause,
    });
  }
  if (json === undefined) throw new NodeFailure('The XML has no root element that could be an item', { itemIndex });
  return json;
}

/** The parser ignores entities that the document declares, so nothing in it can grow. */
function parsed(text: string, context: ParameterSource, index: number): unknown {
  const is = (name: string, initial: boolean): boolean => booleanParameter(context, `options.${name}`, index, initial);
  const key = (name: string, initial: string): string =>
    textParameter(context, `options.${name}`, index, initial) || initial;
  const lowers = is('normalizeTags', false);
  const parser = new Parser({
    async: false,
    strict: true,
    attrkey: key('attrkey', '$'),
    charkey: key('charkey', '_'),
    explicitRoot: is('explicitRoot', true),
    explicitArray: is('explicitArray', false),
    mergeAttrs: is('mergeAttrs', true),
    ignoreAttrs: is('ignoreAttrs', false),
    normalize: is('normalize', false),
    trim: is('trim', false),
    ...(lowers ? { tagNameProcessors: [processors.normalize] } : {}),
  });
  let result: unknown;
  let failure: unknown;
  parser.parseString(text, (error: Error | null, value: unknown) => {
    failure ??= error ?? undefined;
    result = value;
  });
  if (failure !== undefined) throw failure;
  return plain(result, 0);
}

const MAX_LEVELS = 400;

/** The parser creates objects without a prototype, which are not recognised as data elsewhere. */
function plain(value: unknown, level: number): unknown {
  if (level > MAX_LEVELS) throw new Error(`it is nested deeper than ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) return value.map((entry) => plain(entry, level + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      if (name === '__proto__') throw new Error('the name "__proto__" is not allowed');
      return [name, plain(entry, level + 1)];
    }),
  );
}
