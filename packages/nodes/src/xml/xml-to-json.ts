import type { Json, JsonObject } from '@weft/node-catalogue';
import { Parser, processors } from 'xml2js';
import { FormatError } from '../shared/file-formats/format-error';

/** A document and the options of its conversion. */
export interface ReadXmlTask {
  readonly text: string;
  readonly attrkey: string;
  readonly charkey: string;
  readonly explicitRoot: boolean;
  readonly explicitArray: boolean;
  readonly mergeAttrs: boolean;
  readonly ignoreAttrs: boolean;
  readonly normalize: boolean;
  readonly trim: boolean;
  /** Converts element names to lower case. */
  readonly lowersNames: boolean;
}

/** The document as JSON. @throws FormatError if it is not XML, or its root element cannot become an item */
export function readXml(task: ReadXmlTask): JsonObject {
  let json: Json;
  try {
    json = plain(parsed(task), 0);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FormatError(`The XML cannot be read: ${reason.replace(/\s+/g, ' ').slice(0, 300)}`, { cause });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new FormatError('The XML has no root element that could be an item');
  return json;
}

/** The parser ignores entities that the document declares, which prevents entity expansion. */
function parsed({ text, lowersNames, ...options }: ReadXmlTask): unknown {
  const parser = new Parser({
    ...options,
    async: false,
    strict: true,
    ...(lowersNames ? { tagNameProcessors: [processors.normalize] } : {}),
  });
  let result: unknown;
  let failure: unknown;
  parser.parseString(text, (error: Error | null, value: unknown) => {
    failure ??= error ?? undefined;
    result = value;
  });
  if (failure !== undefined) throw failure;
  return result;
}

const MAX_LEVELS = 400;

/** The parser creates objects without a prototype, which are not recognized as data elsewhere. */
function plain(value: unknown, level: number): Json {
  if (level > MAX_LEVELS) throw new Error(`it is nested deeper than ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) return value.map((entry) => plain(entry, level + 1));
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      if (name === '__proto__') throw new Error('the name "__proto__" is not allowed');
      return [name, plain(entry, level + 1)];
    }),
  );
}
