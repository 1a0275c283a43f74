import { Builder } from 'xml2js';
import { FormatError } from '../shared/file-formats/format-error';

/** An item and the options of its conversion. */
export interface WriteXmlTask {
  /** The item as a JSON string. */
  readonly json: string;
  readonly attrkey: string;
  readonly charkey: string;
  readonly rootName: string;
  readonly cdata: boolean;
  readonly headless: boolean;
  readonly allowSurrogateChars: boolean;
}

/** The item as an XML document. @throws FormatError for items that XML cannot represent */
export function writeXml({ json, ...options }: WriteXmlTask): string {
  const item: unknown = JSON.parse(json);
  try {
    return new Builder(options).buildObject(item);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FormatError(`The item cannot be written as XML: ${reason.slice(0, 300)}`, { cause });
  }
}
