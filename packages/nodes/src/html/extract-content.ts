import type { Json, JsonObject } from '@weft/node-catalogue';
import { load } from 'cheerio';
import type { CheerioAPI } from 'cheerio';
import { convert } from 'html-to-text';
import { FormatError } from '../shared/file-formats/format-error';
import { depthOfHtml } from './depth-of-html';

/** Limits of one page: characters, and elements. */
const MAX_PAGE_LENGTH = 4_000_000;
const MAX_ELEMENTS = 100_000;
/** Maximum number of elements in a page for selectors whose cost is quadratic in it. */
const MAX_ELEMENTS_FOR_SIBLINGS = 10_000;
const COMPARES_SIBLINGS = /[~+]|:(?:nth|has|first|last|only)/;
const MAX_LEVELS = 500;

/** One value to extract from a page. */
export interface Extraction {
  readonly key: string;
  readonly selector: string;
  readonly returns: 'text' | 'html' | 'attribute' | 'value';
  readonly attribute: string;
  readonly asList: boolean;
  /** Selectors of elements that are left out of the text. */
  readonly skipped: readonly string[];
}

/** Options that apply to every extracted string. */
export interface TextOptions {
  readonly trims: boolean;
  readonly cleansUp: boolean;
  /** True: text as a browser shows it. False: the raw text of all matches. */
  readonly isLaidOut: boolean;
  /** True: without a match, raw text is an empty string. False: there is no value. */
  readonly givesEmptyText: boolean;
}

/** Values to extract from pages. */
export interface ExtractionTask {
  readonly pages: readonly string[];
  readonly extractions: readonly Extraction[];
  readonly options: TextOptions;
}

/** The requested values of each page. @throws FormatError for a page or a selector that cannot be used */
export function extractContent({ pages, extractions, options }: ExtractionTask): JsonObject[] {
  return pages.map((page) => valuesOf(page, extractions, options));
}

function valuesOf(page: string, extractions: readonly Extraction[], options: TextOptions): JsonObject {
  const elements = checkedSize(page);
  const document = load(page);
  const json: JsonObject = {};
  for (const extraction of extractions) {
    if (elements > MAX_ELEMENTS_FOR_SIBLINGS && COMPARES_SIBLINGS.test(extraction.selector)) {
      throw new FormatError(
        `The page is too large for the selector "${extraction.selector}": with it, pages may have ` +
          `at most ${MAX_ELEMENTS_FOR_SIBLINGS} elements.`,
      );
    }
    try {
      const value = extractionOf(document, extraction, options);
      if (value !== undefined) json[extraction.key] = value;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new FormatError(`The selector "${extraction.selector}" cannot be used: ${reason}`, { cause });
    }
  }
  return json;
}

function extractionOf(document: CheerioAPI, extraction: Extraction, options: TextOptions): Json | undefined {
  const matches = document(extraction.selector);
  if (!extraction.asList) return finished(valueOf(matches, extraction, options), options);
  return matches.toArray().map((element) => finished(valueOf(document(element), extraction, options), options) ?? null);
}

function valueOf(matches: ReturnType<CheerioAPI>, extraction: Extraction, options: TextOptions): Json | undefined {
  switch (extraction.returns) {
    case 'attribute':
      return extraction.attribute === '' ? { ...matches.attr() } : matches.attr(extraction.attribute);
    case 'html':
      return matches.html() || undefined;
    case 'value':
      return matches.val();
    case 'text':
      return options.isLaidOut ? laidOut(matches.html() ?? '', extraction.skipped) : rawText(matches.text(), options);
  }
}

function rawText(text: string, { givesEmptyText }: TextOptions): string | undefined {
  return text === '' && !givesEmptyText ? undefined : text;
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

function checkedSize(page: string): number {
  if (page.length > MAX_PAGE_LENGTH) throw new FormatError(`The page is longer than ${MAX_PAGE_LENGTH} characters.`);
  let elements = 0;
  for (let at = page.indexOf('<'); at !== -1; at = page.indexOf('<', at + 1)) elements += 1;
  if (elements > 2 * MAX_ELEMENTS) throw new FormatError(`The page has more than ${MAX_ELEMENTS} elements.`);
  if (depthOfHtml(page) > MAX_LEVELS) throw new FormatError(`The page is nested deeper than ${MAX_LEVELS} levels.`);
  return Math.ceil(elements / 2);
}
