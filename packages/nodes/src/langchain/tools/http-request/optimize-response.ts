import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../../../shared/read-parameter';
import { runTexts } from '../../../shared/file-formats/run-texts';
import type { TextJob } from '../../../shared/file-formats/tasks';
import { getPath, setPath, unsetPath } from '../../../shared/values/json-path';

/** Elements of a page that are not part of its text. */
const NOT_TEXT = ['script', 'style', 'noscript', 'template', 'svg', 'nav', 'header', 'footer', 'aside', 'form'];

/** True if the node shortens the responses of its requests. */
export function optimizesResponse(context: NodeContext, itemIndex: number): boolean {
  return booleanParameter(context, 'optimizeResponse', itemIndex, false);
}

/**
 * A response, shortened as the node says: the list of its data as JSON, or text.
 * @throws NodeFailure for a response that does not have the expected form
 */
export async function optimizedBody(context: NodeContext, body: Json, itemIndex: number): Promise<Json> {
  const type = choiceParameter(context, 'responseType', itemIndex, ['json', 'html', 'text'], 'json');
  if (type === 'json') return dataOf(context, body, itemIndex);
  const text = type === 'html' ? await elementsOf(context, body, itemIndex) : await textOf(context, body, itemIndex);
  if (!booleanParameter(context, 'truncateResponse', itemIndex, false)) return text;
  const length = Math.trunc(numberParameter(context, 'maxLength', itemIndex, 1000));
  return length > 0 ? text.slice(0, length) : text;
}

function dataOf(context: NodeContext, body: Json, itemIndex: number): Json[] {
  const value = typeof body === 'string' ? parsed(body, itemIndex) : body;
  if (typeof value !== 'object' || value === null)
    throw new NodeFailure('The response is not an object or an array of objects', { itemIndex });
  const data = dataIn(value, textParameter(context, 'dataField', itemIndex), itemIndex);
  const included = choiceParameter(context, 'fieldsToInclude', itemIndex, ['all', 'selected', 'except'], 'all');
  if (included === 'all') return data;
  const fields = namesParameter(context, 'fields', itemIndex);
  return data.map((entry) => {
    if (!isJsonObject(entry)) return included === 'selected' ? {} : entry;
    return included === 'selected' ? selected(entry, fields) : without(entry, fields);
  });
}

function dataIn(value: JsonObject | Json[], field: string, itemIndex: number): Json[] {
  if (Array.isArray(value))
    return field === '' ? value : value.map((entry) => (isJsonObject(entry) ? (getPath(entry, field) ?? null) : null));
  if (field === '') return [value];
  const data = getPath(value, field);
  if (data === undefined)
    throw new NodeFailure(`The response has no field "${field}"`, {
      itemIndex,
      description: `It has these fields: ${Object.keys(value).slice(0, 50).join(', ')}.`,
    });
  return Array.isArray(data) ? data : [data];
}

function selected(entry: JsonObject, fields: readonly string[]): JsonObject {
  const json: JsonObject = {};
  for (const field of fields) {
    const value = getPath(entry, field);
    if (value !== undefined) setPath(json, field, value);
  }
  return json;
}

function without(entry: JsonObject, fields: readonly string[]): JsonObject {
  const json = structuredClone(entry);
  for (const field of fields) unsetPath(json, field);
  return json;
}

/** The selected elements of a page, as a JSON list of strings. */
async function elementsOf(context: NodeContext, body: Json, itemIndex: number): Promise<string> {
  if (typeof body !== 'string')
    throw new NodeFailure(`The response must be text for the response type HTML, but it is JSON`, { itemIndex });
  const onlyContent = booleanParameter(context, 'onlyContent', itemIndex, false);
  const elements = await extracted(context, body, {
    selector: textParameter(context, 'cssSelector', itemIndex) || 'body',
    returns: onlyContent ? 'text' : 'html',
    skipped: onlyContent ? namesParameter(context, 'elementsToOmit', itemIndex) : [],
    itemIndex,
  });
  return JSON.stringify(elements, null, 2);
}

/** The text of a page as a reader sees it. Text that is not HTML stays as it is. */
async function textOf(context: NodeContext, body: Json, itemIndex: number): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  if (!/<[a-z!]/i.test(text)) return text;
  const parts = await extracted(context, text, { selector: 'body', returns: 'text', skipped: NOT_TEXT, itemIndex });
  return parts.map(String).join('\n');
}

/** Texts of the elements that a selector finds, read in a process for untrusted data. */
async function extracted(
  context: NodeContext,
  page: string,
  {
    selector,
    returns,
    skipped,
    itemIndex,
  }: {
    readonly selector: string;
    readonly returns: 'text' | 'html';
    readonly skipped: readonly string[];
    readonly itemIndex: number;
  },
): Promise<Json[]> {
  const job: TextJob = {
    kind: 'extractHtml',
    input: {
      pages: [page],
      extractions: [{ key: 'found', selector, returns, attribute: '', asList: true, skipped }],
      options: { trims: true, cleansUp: true, isLaidOut: true, givesEmptyText: true },
    },
  };
  const [outcome] = await runTexts(context, [job], true);
  if (outcome === undefined || 'error' in outcome)
    throw new NodeFailure(outcome?.error ?? 'The page could not be read.', { itemIndex });
  const [first] = Array.isArray(outcome.value) ? outcome.value : [];
  const found = isJsonObject(first) ? first['found'] : undefined;
  return Array.isArray(found) ? found.map((one) => one ?? '') : [];
}

function parsed(text: string, itemIndex: number): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new NodeFailure('The response is not valid JSON', { itemIndex, cause });
  }
}
