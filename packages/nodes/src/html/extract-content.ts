import type { Json, JsonObject } from '@weft/node-catalogue';
import { kindOf } from '@weft/node-catalogue';
import { load } from 'cheerio';
import type { CheerioAPI } from 'cheerio';
import { convert } from 'html-to-text';
import { type Item, messageOf, type NodeContext, NodeFailure } from '@weft/engine';
import { type MadeItem, loadFile } from '../shared/files/item-files';
import { decodeText } from '../shared/files/text-encoding';
import { booleanParameter, choiceParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';
import { depthOfHtml } from './depth-of-html';

/** Limits of one page: characters, and elements. Parsing and searching block the process. */
const MAX_PAGE_LENGTH = 4_000_000;
const MAX_ELEMENTS = 100_000;
/** Limit of the elements in a page for selectors whose cost is quadratic in them. */
const MAX_ELEMENTS_FOR_SIBLINGS = 10_000;
const COMPARES_SIBLINGS = /[~+]|:(?:nth|has|first|last|only)/;
const MAX_SELECTOR_LENGTH = 1_000;
const MAX_LEVELS = 500;

const RETURN_VALUES = ['text', 'html', 'attribute', 'value'] as const;

/** One value to extract from a page. */
interface Extraction {
  readonly key: string;
  readonly selector: string;
  readonly returns: (typeof RETURN_VALUES)[number];
  readonly attribute: string;
  readonly asList: boolean;
  /** Selectors of elements that are left out of the text. */
  readonly skipped: readonly string[];
}

/** Options that apply to every extracted string. */
interface TextOptions {
  readonly trims: boolean;
  readonly cleansUp: boolean;
  /** True: text as a browser shows it. False: the raw text of all matches. */
  readonly isLaidOut: boolean;
}

/**
 * Extracts the stated values from a page in a field or a file; a list of pages yields an item for each.
 * @throws NodeFailure
 */
export async function extractContent(context: NodeContext, item: Item, index: number): Promise<MadeItem[]> {
  const extractions = objectsParameter(context, 'extractionValues.values', index).map((stated) =>
    readExtraction(stated, index),
  );
  const isOlderKind = kindOf(context.node.type) === 'htmlExtract';
  const options = {
    trims: booleanParameter(context, 'options.trimValues', index, isOlderKind),
    cleansUp: booleanParameter(context, 'options.cleanUpText', index),
    isLaidOut: !isOlderKind && context.version >= 1.2,
  };
  return (await pagesOf(context, item, index)).map((page) => ({ json: valuesOf(page, extractions, options, index) }));
}

function valuesOf(
  page: string,
  extractions: readonly Extraction[],
  options: TextOptions,
  itemIndex: number,
): JsonObject {
  const elements = checkedSize(page, itemIndex);
  const document = load(page);
  const json: JsonObject = {};
  for (const extraction of extractions) {
    if (elements > MAX_ELEMENTS_FOR_SIBLINGS && COMPARES_SIBLINGS.test(extraction.selector)) {
      throw new NodeFailure(
        `The page is too large for the selector "${extraction.selector}": with it, pages may have ` +
          `${MAX_ELEMENTS_FOR_SIBLINGS} elements at most.`,
        { itemIndex },
      );
    }
    try {
      const value = extractionOf(document, extraction, options);
      if (value !== undefined) json[extraction.key] = value;
    } catch (cause) {
      throw new NodeFailure(`The selector "${extraction.selector}" cannot be used: ${messageOf(cause)}`, {
        itemIndex,
        cause,
      });
    }
  }
  return json;
}

function extractionOf(document: CheerioAPI, extraction: Extraction, options: TextOptions): Json | undefined {
  const matches = document(extraction.selector);
  if (!extraction.asList) return finished(valueOf(matches, extraction, options), options);
  return matches.toArray().flatMap((element) => {
    const value = finished(valueOf(document(element), extraction, options), options);
    return value === undefined ? [] : [value];
  });
}

function valueOf(matches: ReturnType<CheerioAPI>, extraction: Extraction, options: TextOptions): Json | undefined {
  switch (extraction.returns) {
    case 'attribute':
      return extraction.attribute === '' ? { ...matches.attr() } : matches.attr(extraction.attribute);
    case 'html':
      return matches.html() ?? undefined;
    case 'value':
      return matches.val();
    case 'text':
      return options.isLaidOut ? laidOut(matches.html() ?? '', extraction.skipped) : matches.text() || undefined;
  }
}

function laidOut(inner: string, skipped: readonly string[]): string {
  return convert(inner, {
    limits: { maxInputLength: MAX_PAGE_LENGTH, maxDepth: MAX_LEVELS },
    selectors: skipped.map((selector) => ({ selector, format: 'skip' })),
  });
}

function finished(value: Json | undefined, options: TextOptions): Json | undefined {
  if (typeof value !== 'string') return value;
  const trimmed = options.trims || options.cleansUp ? value.trim() : value;
  return options.cleansUp ? trimmed.replace(/[\r\n]+/g, '').replace(/\s+/g, ' ') : trimmed;
}

function readExtraction(stated: Record<string, unknown>, itemIndex: number): Extraction {
  const text = (name: string): string => (typeof stated[name] === 'string' ? stated[name] : '');
  const selector = text('cssSelector');
  if (selector.length > MAX_SELECTOR_LENGTH)
    throw new NodeFailure(`The selector for "${text('key')}" is longer than ${MAX_SELECTOR_LENGTH} characters.`, {
      itemIndex,
    });
  if (text('key') === '__proto__') throw new NodeFailure('The field "__proto__" is not allowed.', { itemIndex });
  return {
    key: text('key'),
    selector,
    attribute: text('attribute'),
    asList: stated['returnArray'] === true,
    returns: RETURN_VALUES.find((value) => value === stated['returnValue']) ?? 'text',
    skipped: text('skipSelectors')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  };
}

async function pagesOf(context: NodeContext, item: Item, itemIndex: number): Promise<string[]> {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data';
  if (choiceParameter(context, 'sourceData', itemIndex, ['json', 'binary']) === 'binary') {
    return [decodeText((await loadFile(context, itemIndex, name)).bytes, 'utf8', true)];
  }
  const pages = getPath(item.json, name);
  if (pages === undefined) throw new NodeFailure(`No property named "${name}" exists!`, { itemIndex });
  return (Array.isArray(pages) ? pages : [pages]).map((page) =>
    typeof page === 'string' ? page : JSON.stringify(page),
  );
}

function checkedSize(page: string, itemIndex: number): number {
  if (page.length > MAX_PAGE_LENGTH)
    throw new NodeFailure(`The page is longer than ${MAX_PAGE_LENGTH} characters.`, { itemIndex });
  let elements = 0;
  for (let at = page.indexOf('<'); at !== -1; at = page.indexOf('<', at + 1)) elements += 1;
  if (elements > 2 * MAX_ELEMENTS)
    throw new NodeFailure(`The page has more than ${MAX_ELEMENTS} elements.`, { itemIndex });
  if (depthOfHtml(page) > MAX_LEVELS)
    throw new NodeFailure(`The page is nested deeper than ${MAX_LEVELS} levels.`, { itemIndex });
  return Math.ceil(elements / 2);
}
