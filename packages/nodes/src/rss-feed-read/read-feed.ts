import type { Json, JsonObject } from '@weft/node-catalogue';
import { textOfHtml } from './text-of-html';
import { childOf, childText, jsonOfElement, parseXml, type XmlElement } from './xml-element';

/** Names of item elements and the fields they become. A later entry overrides an earlier one. */
const RSS_FIELDS: readonly (readonly [element: string, field: string])[] = [
  ['author', 'creator'],
  ['dc:creator', 'creator'],
  ['dc:date', 'date'],
  ['dc:language', 'language'],
  ['dc:rights', 'rights'],
  ['dc:source', 'source'],
  ['dc:title', 'title'],
  ['title', 'title'],
  ['link', 'link'],
  ['pubDate', 'pubDate'],
  ['author', 'author'],
  ['summary', 'summary'],
  ['content:encoded', 'content:encoded'],
  ['dc:creator', 'dc:creator'],
  ['dc:date', 'dc:date'],
  ['comments', 'comments'],
];
const ITUNES_FIELDS = [
  'author',
  'subtitle',
  'summary',
  'explicit',
  'duration',
  'image',
  'episode',
  'season',
  'keywords',
  'episodeType',
];

/**
 * The entries of an RSS 0.9x, 1.0, 2.0 or Atom feed. `customFields` are names of additional elements of each entry.
 * @throws Error if the text is not XML or not a feed
 */
export function readFeed(text: string, customFields: readonly string[]): JsonObject[] {
  const document = parseXml(text);
  const atom = childOf(document, 'feed');
  if (atom !== undefined)
    return (atom.children.get('entry') ?? []).map((entry) =>
      withIsoDate({ ...atomEntry(entry), ...custom(entry, customFields) }),
    );
  const rdf = childOf(document, 'rdf:RDF');
  const rss = childOf(document, 'rss');
  if (rdf === undefined && rss === undefined) throw new Error('The document is neither an RSS nor an Atom feed.');
  const items = (rdf ?? childOf(rss, 'channel'))?.children.get('item') ?? [];
  const isPodcast = rss?.attributes.has('xmlns:itunes') === true;
  return items.map((item) =>
    withIsoDate({ ...rssItem(item), ...(isPodcast ? itunes(item) : {}), ...custom(item, customFields) }),
  );
}

function rssItem(item: XmlElement): JsonObject {
  const json: JsonObject = {};
  for (const [element, field] of RSS_FIELDS) {
    const child = childOf(item, element);
    if (child !== undefined) json[field] = plain(child);
  }
  const encoded = json['content:encoded'];
  if (typeof encoded === 'string' && encoded !== '') json['content:encodedSnippet'] = textOfHtml(encoded);
  const enclosure = childOf(item, 'enclosure');
  if (enclosure !== undefined) json['enclosure'] = Object.fromEntries(enclosure.attributes);
  const description = childOf(item, 'description');
  if (description !== undefined) Object.assign(json, contentOf(description));
  const guid = childOf(item, 'guid');
  if (guid !== undefined) json['guid'] = guid.text;
  const about = item.attributes.get('rdf:about');
  if (about !== undefined) json['rdf:about'] = about;
  const categories = item.children.get('category');
  if (categories !== undefined) json['categories'] = categories.map(jsonOfElement);
  return json;
}

function atomEntry(entry: XmlElement): JsonObject {
  const json: JsonObject = {};
  const set = (field: string, value: Json | undefined): void => {
    if (value !== undefined && value !== '') json[field] = value;
  };
  set('title', childText(entry, 'title'));
  set('link', linkOf(entry));
  set('pubDate', isoDate(childText(entry, 'published')) ?? isoDate(childText(entry, 'updated')));
  set('author', childText(childOf(entry, 'author'), 'name'));
  const content = childOf(entry, 'content');
  if (content !== undefined) Object.assign(json, contentOf(content));
  const summary = childOf(entry, 'summary');
  set('summary', summary === undefined ? undefined : innerHtml(summary));
  set('id', childText(entry, 'id'));
  return json;
}

function linkOf(entry: XmlElement): string | undefined {
  const links = entry.children.get('link') ?? [];
  return (links.find((link) => link.attributes.get('rel') === 'alternate') ?? links[0])?.attributes.get('href');
}

function contentOf(element: XmlElement): { content: string; contentSnippet: string } {
  const content = innerHtml(element);
  return { content, contentSnippet: textOfHtml(content) };
}

/** Content that is markup instead of text is serialized again. */
function innerHtml(element: XmlElement): string {
  if (element.children.size === 0) return element.text;
  const inner = [...element.children].flatMap(([name, list]) =>
    list.map((child) => `<${name}>${innerHtml(child)}</${name}>`),
  );
  return element.text + inner.join('');
}

function itunes(item: XmlElement): JsonObject {
  const json: JsonObject = {};
  for (const field of ITUNES_FIELDS) {
    const child = childOf(item, `itunes:${field}`);
    if (child !== undefined) json[field] = child.attributes.get('href') ?? child.text;
  }
  return Object.keys(json).length === 0 ? {} : { itunes: json };
}

function custom(item: XmlElement, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const child = childOf(item, name);
      return child === undefined ? [] : [[name, plain(child)]];
    }),
  );
}

/** The text if there is any, otherwise attributes and children as JSON. */
function plain(element: XmlElement): Json {
  return element.text === '' ? jsonOfElement(element) : element.text;
}

function withIsoDate(json: JsonObject): JsonObject {
  const given = json['pubDate'] ?? json['date'];
  const iso = typeof given === 'string' ? isoDate(given) : undefined;
  return iso === undefined ? json : { ...json, isoDate: iso };
}

function isoDate(text: string | undefined): string | undefined {
  const date = new Date((text ?? '').trim());
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
