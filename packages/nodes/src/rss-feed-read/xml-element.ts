import type { Json, JsonObject } from '@weft/node-catalogue';
import { decodeHTML } from 'entities';
import { XMLParser } from 'fast-xml-parser';

/** One element of an XML document. The order of children with different names is not preserved. */
export interface XmlElement {
  readonly text: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: ReadonlyMap<string, readonly XmlElement[]>;
}

const TEXT = '#text';
const ATTRIBUTE = '@';

/** Only HTML entities are decoded. Declarations of the document are ignored, which prevents entity expansion. */
const decoder = {
  decode: (text: string): string => (text.includes('&') ? decodeHTML(text) : text),
  reset: (): void => undefined,
  setXmlVersion: (): void => undefined,
  addInputEntities: (): void => undefined,
  setExternalEntities: (): void => undefined,
};

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  entityDecoder: decoder,
  maxNestedTags: 100,
});

/**
 * Parses XML into an unnamed element that contains the root.
 * @throws Error if it is not XML or nested deeper than 100 levels
 */
export function parseXml(text: string): XmlElement {
  const parsed: unknown = parser.parse(text);
  return elementOf(parsed);
}

/** The first child with a name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.get(name)?.[0];
}

/** The text of the first child with a name; undefined if there is no such child. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return childOf(element, name)?.text;
}

/**
 * An element as JSON: text if it has nothing else, otherwise `_` for text, `$` for attributes and an array per name.
 */
export function jsonOfElement(element: XmlElement): Json {
  if (element.attributes.size === 0 && element.children.size === 0) return element.text;
  const json: JsonObject = {};
  if (element.text !== '') json['_'] = element.text;
  if (element.attributes.size > 0) json['$'] = Object.fromEntries(element.attributes);
  for (const [name, children] of element.children) json[name] = children.map(jsonOfElement);
  return json;
}

/** Text with surrounding blanks; blanks alone are not text. */
function textOf(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  return text.trim() === '' ? '' : text;
}

function elementOf(parsed: unknown): XmlElement {
  const attributes = new Map<string, string>();
  const children = new Map<string, XmlElement[]>();
  if (typeof parsed !== 'object' || parsed === null) return { text: textOf(parsed), attributes, children };
  let text = '';
  for (const [name, value] of Object.entries<unknown>({ ...parsed })) {
    if (name === TEXT) text = textOf(value);
    else if (name.startsWith(ATTRIBUTE)) attributes.set(name.slice(ATTRIBUTE.length), String(value));
    else children.set(name, (Array.isArray(value) ? value : [value]).map(elementOf));
  }
  return { text, attributes, children };
}
