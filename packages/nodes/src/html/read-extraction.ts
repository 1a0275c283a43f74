import { kindOf } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { TextJob } from '../shared/file-formats/tasks';
import { loadFile } from '../shared/files/item-files';
import { decodeText } from '../shared/files/text-encoding';
import { booleanParameter, choiceParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';
import type { Extraction } from './extract-content';

const MAX_SELECTOR_LENGTH = 1_000;
const RETURN_VALUES = ['text', 'html', 'attribute', 'value'] as const;

/**
 * The values to extract from a page in a field or a file, or from each page of an array.
 * @throws NodeFailure
 */
export async function readExtraction(context: NodeContext, item: Item, index: number): Promise<TextJob> {
  const extractions = objectsParameter(context, 'extractionValues.values', index).map((given) =>
    extractionOf(given, index),
  );
  const isOlderKind = kindOf(context.node.type) === 'htmlExtract';
  const options = {
    trims: booleanParameter(context, 'options.trimValues', index, isOlderKind),
    cleansUp: booleanParameter(context, 'options.cleanUpText', index),
    isLaidOut: !isOlderKind && context.version >= 1.2,
    givesEmptyText: isOlderKind,
  };
  return { kind: 'extractHtml', input: { pages: await pagesOf(context, item, index), extractions, options } };
}

function extractionOf(given: Record<string, unknown>, itemIndex: number): Extraction {
  const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '');
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
    asList: given['returnArray'] === true,
    returns: RETURN_VALUES.find((value) => value === given['returnValue']) ?? 'text',
    skipped: text('skipSelectors')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  };
}

async function pagesOf(context: NodeContext, item: Item, itemIndex: number): Promise<string[]> {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data';
  if (choiceParameter(context, 'sourceData', itemIndex, ['json', 'binary']) === 'binary') {
    const { bytes, reference } = await loadFile(context, itemIndex, name);
    return [decodeText(bytes, '', true, { contentType: reference.mimeType })];
  }
  const pages = getPath(item.json, name);
  if (pages === undefined) throw new NodeFailure(`No property named "${name}" exists!`, { itemIndex });
  return (Array.isArray(pages) ? pages : [pages]).map((page) =>
    typeof page === 'string' ? page : JSON.stringify(page),
  );
}
