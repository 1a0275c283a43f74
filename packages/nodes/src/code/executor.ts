import {
  type Item,
  messageOf,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { choiceParameter } from '../shared/read-parameter';
import type { CodeReport } from '@weft/sandbox';
import { codeFailure, codePlace, failureMessage } from './code-failure';
import { itemOfValue, itemsOfValue } from './code-items';
import { InputFiles } from './input-files';
import { keepsStaticData } from './open-static-data';
import { runInSandbox } from './run-in-sandbox';

const MODES = ['runOnceForAllItems', 'runOnceForEachItem'] as const;

/** Runs JavaScript in a sandbox, once for all items or once for each. */
export const code: NodeExecutor = {
  kind: 'code',
  actsOutside: keepsStaticData,
  run: async (context): Promise<NodeResult> => {
    if (context.version >= 2) choiceParameter(context, 'language', 0, ['javaScript'], 'javaScript');
    const isPerItem = choiceParameter(context, 'mode', 0, MODES) === 'runOnceForEachItem';
    return output(isPerItem ? await runForEach(context) : await runForAll(context));
  },
};

async function runForAll(context: NodeContext): Promise<Item[]> {
  const files = new InputFiles(context.ports.files);
  try {
    const report = await runInSandbox(context, codeOf(context), { style: 'code', perItem: false }, files);
    if (report.error !== undefined) throw codeFailure(report.error, codePlace);
    return await itemsOfValue(report.value ?? { type: 'undefined' }, files);
  } catch (thrown) {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    return [{ json: { error: messageOf(thrown) } }];
  }
}

async function runForEach(context: NodeContext): Promise<Item[]> {
  const files = new InputFiles(context.ports.files);
  const report = await runInSandbox(context, codeOf(context), { style: 'code', perItem: true }, files);
  if (report.error !== undefined) throw codeFailure(report.error, codePlace, report.itemIndex);
  const items: Item[] = [];
  for (const [index, value] of (report.values ?? []).slice(0, context.items.length).entries()) {
    const item = await itemOf(context, value, index, files);
    if (item !== undefined) items.push(item);
  }
  return items;
}

async function itemOf(
  context: NodeContext,
  value: NonNullable<CodeReport['values']>[number],
  index: number,
  files: InputFiles,
): Promise<Item | undefined> {
  const failed = (message: string): Item => ({ json: { error: message }, pairedItem: { item: index } });
  if ('error' in value) return failed(failureMessage(value.error, codePlace, index));
  try {
    return await itemOfValue(value, index, files);
  } catch (thrown) {
    if (!context.continueOnFail) throw thrown;
    return failed(messageOf(thrown));
  }
}

/** The code as it was saved: expressions in it are not resolved, as they would put data into code. */
function codeOf(context: NodeContext): string {
  const text = context.rawParameter('jsCode');
  if (typeof text === 'string') return text;
  throw new NodeFailure('The node has no code', { description: 'Write JavaScript into the parameter `jsCode`.' });
}
