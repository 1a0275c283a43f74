import { type Item, type NodeContext, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import type { CodeStyle } from '@weft/sandbox';
import { choiceParameter } from '../shared/read-parameter';
import { codeFailure, codePlace, failureMessage } from './code-failure';
import { itemOfValue, itemsOfValue } from './code-items';
import { InputFiles } from './input-files';
import { keepsStaticData } from './open-static-data';
import { runInSandbox } from './run-in-sandbox';

const MODES = ['runOnceForAllItems', 'runOnceForEachItem'] as const;
const LANGUAGES = ['javaScript', 'python', 'pythonNative'] as const;

/** Code, and the dialect in which it is written. */
interface WrittenCode {
  readonly code: string;
  readonly style: CodeStyle;
}

/** Runs JavaScript or Python in a sandbox, once for all items or once for each. */
export const code: NodeExecutor = {
  kind: 'code',
  actsOutside: keepsStaticData,
  run: async (context): Promise<NodeResult> => {
    const written = writtenCode(context);
    const isPerItem = choiceParameter(context, 'mode', 0, MODES) === 'runOnceForEachItem';
    return output(isPerItem ? await runForEach(context, written) : await runForAll(context, written));
  },
};

/** Runs the JavaScript that a model once wrote into the node, once for all items. No model is called. */
export const aiTransform: NodeExecutor = {
  kind: 'aiTransform',
  actsOutside: keepsStaticData,
  run: async (context): Promise<NodeResult> => {
    if ((context.rawParameter('jsCode') ?? '') === '')
      throw new NodeFailure('Missing code for data transformation', {
        description: 'No model is called here: set the parameter `jsCode` to JavaScript, or use a Code node.',
      });
    return output(await runForAll(context, { code: codeOf(context, 'jsCode'), style: 'code' }));
  },
};

/** An item with the error about an invalid result, if such items have an output; otherwise the node fails. */
function wrongForm(context: NodeContext, thrown: unknown): { readonly json: { readonly error: string } } {
  if (!context.hasErrorOutput || !(thrown instanceof NodeFailure)) throw thrown;
  return { json: { error: thrown.message } };
}

/** An error that the code throws can become an item; an invalid result fails the whole node. */
async function runForAll(context: NodeContext, { code, style }: WrittenCode): Promise<Item[]> {
  const files = new InputFiles(context.ports.files);
  const { error, value } = await runInSandbox(context, code, { style, perItem: false }, files);
  if (error === undefined) {
    const items = itemsOfValue(value ?? { type: 'undefined' }, files);
    return items.catch((thrown: unknown) => [wrongForm(context, thrown)]);
  }
  if (context.continueOnFail) return [{ json: { error: failureMessage(error, codePlace) } }];
  throw codeFailure(error, codePlace);
}

async function runForEach(context: NodeContext, { code, style }: WrittenCode): Promise<Item[]> {
  const files = new InputFiles(context.ports.files);
  const report = await runInSandbox(context, code, { style, perItem: true }, files);
  if (report.error !== undefined) throw codeFailure(report.error, codePlace, report.itemIndex);
  const items: Item[] = [];
  for (const [index, value] of (report.values ?? []).slice(0, context.items.length).entries()) {
    const item =
      'error' in value
        ? { json: { error: failureMessage(value.error, codePlace, index) }, pairedItem: { item: index } }
        : await itemOfValue(value, index, files).catch((thrown: unknown) => ({
            ...wrongForm(context, thrown),
            pairedItem: { item: index },
          }));
    if (item !== undefined) items.push(item);
  }
  return items;
}

function writtenCode(context: NodeContext): WrittenCode {
  const language =
    context.version >= 2 ? choiceParameter(context, 'language', 0, LANGUAGES, 'javaScript') : 'javaScript';
  if (language === 'javaScript') return { code: codeOf(context, 'jsCode'), style: 'code' };
  return { code: codeOf(context, 'pythonCode'), style: language };
}

/**
 * The code as saved, without the `=` of expression mode. Expressions in it are not resolved because they would insert
 * data into code.
 */
function codeOf(context: NodeContext, name: 'jsCode' | 'pythonCode'): string {
  const text = context.rawParameter(name);
  if (typeof text === 'string') return text.replace(/^=/, '');
  const language = name === 'jsCode' ? 'JavaScript' : 'Python';
  throw new NodeFailure('The node has no code', { description: `Set the parameter \`${name}\` to ${language}.` });
}
