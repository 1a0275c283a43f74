import { isJsonObject } from '@weft/node-catalogue';
import {
  isItemJson,
  type Item,
  messageOf,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  output,
} from '@weft/engine';
import type { CodeReport, CodeValue } from '@weft/sandbox';
import { codeFailure, failureMessage, functionPlace } from '../code/code-failure';
import { readItem } from '../code/code-items';
import { InputFiles } from '../code/input-files';
import { keepsStaticData } from '../code/open-static-data';
import { runInSandbox } from '../code/run-in-sandbox';

/** The older form of Code: once for all items, which it must return as items. */
export const functionNode: NodeExecutor = {
  kind: 'function',
  actsOutside: keepsStaticData,
  run: async (context) => {
    try {
      return output(await runFunction(context));
    } catch (thrown) {
      if (!context.continueOnFail || context.signal.aborted) throw thrown;
      return output([{ json: { error: messageOf(thrown) } }]);
    }
  },
};

/** The older form of Code: once for each item, with the item's fields as `item`. */
export const functionItem: NodeExecutor = {
  kind: 'functionItem',
  actsOutside: keepsStaticData,
  run: async (context) => {
    const files = new InputFiles(context.ports.files);
    const report = await runInSandbox(context, codeOf(context), { style: 'functionItem', perItem: true }, files);
    if (report.error !== undefined) throw codeFailure(report.error, functionPlace, report.itemIndex);
    const items: Item[] = [];
    for (const [index, value] of (report.values ?? []).slice(0, context.items.length).entries())
      items.push(await itemOf(context, value, index, files));
    return output(items);
  },
};

async function runFunction(context: NodeContext): Promise<Item[]> {
  const files = new InputFiles(context.ports.files);
  const report = await runInSandbox(context, codeOf(context), { style: 'function', perItem: false }, files);
  if (report.error !== undefined) throw codeFailure(report.error, functionPlace);
  return itemsOf(report.value ?? { type: 'undefined' }, files);
}

async function itemsOf({ type, value }: CodeValue, files: InputFiles): Promise<Item[]> {
  if (type === 'undefined' || type === 'null')
    throw new NodeFailure('No data got returned. Always return an Array of items!');
  if (!Array.isArray(value) && !isJsonObject(value))
    throw new NodeFailure('Always an Array of items has to be returned!');
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const hasItems = list.some((item) => isJsonObject(item) && Object.hasOwn(item, 'json'));
  const items: Item[] = [];
  for (const [index, one] of list.entries()) {
    const item = hasItems || !isJsonObject(one) ? one : { json: one };
    if (!isJsonObject(item) || item['json'] === undefined)
      throw new NodeFailure('All returned items have to contain a property named "json"!', { itemIndex: index });
    items.push(await readItem(item, index, files, isItemJson));
  }
  return items;
}

async function itemOf(
  context: NodeContext,
  value: NonNullable<CodeReport['values']>[number],
  index: number,
  files: InputFiles,
): Promise<Item> {
  const pairedItem = { item: index };
  if ('error' in value) return { json: { error: failureMessage(value.error, functionPlace, index) } };
  const binary = isJsonObject(value.binary)
    ? await files.references(value.binary, index)
    : context.items[index]?.binary;
  if (isItemJson(value.value)) return { json: value.value, ...(binary === undefined ? {} : { binary }), pairedItem };
  const message = 'No data got returned. Always return an object!';
  if (!context.continueOnFail) throw new NodeFailure(message, { itemIndex: index });
  return { json: { error: message } };
}

function codeOf(context: NodeContext): string {
  const text = context.rawParameter('functionCode');
  if (typeof text === 'string') return text.replace(/^=/, '');
  throw new NodeFailure('The node has no code', { description: 'Set the parameter `functionCode` to JavaScript.' });
}
