import { type JsonObject, toolName } from '@weft/node-catalogue';
import {
  type Item,
  messageOf,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { callChild, isWaited, noteCalls, resultItems, waitRequestOf } from '../../../execute-workflow/call-child';
import { declaredValues } from '../../../execute-workflow/child-input';
import { earlierCalls, forgetCalls, keepCalls } from '../../../execute-workflow/open-calls';
import { manualFields } from '../../../set/manual-fields';
import { typedValue } from '../../../set/typed-field';
import { objectsParameter, textParameter } from '../../../shared/read-parameter';
import { checkedInput } from '../input-tool';
import { declaresInputs, fieldsOfInput, workflowSchema } from './tool-schema';

/** Calls another workflow with the arguments of a model. */
export const toolWorkflow: NodeExecutor = {
  kind: 'langchain.toolWorkflow',
  actsOutside: true,
  supplies: {
    ai_tool: (context) => ({
      functions: [
        {
          name: nameOf(context, context.itemIndex),
          description: textParameter(context, 'description', context.itemIndex),
          parameters: workflowSchema(context, context.itemIndex),
        },
      ],
    }),
  },
  run: (context) =>
    callWorkflow(context).catch((thrown: unknown) => {
      // A run that was stopped resumes here on another runner.
      if (!context.signal.aborted) forgetCalls(context);
      throw thrown;
    }),
};

function nameOf(context: NodeContext, itemIndex: number): string {
  const given = context.version <= 2.1 ? textParameter(context, 'name', itemIndex) : '';
  return toolName(given) || toolName(context.node.name) || 'workflow';
}

/** One call for each item: one if a model made it. */
async function callWorkflow(context: NodeContext): Promise<NodeResult> {
  const earlier = earlierCalls(context);
  const calls = [...earlier];
  const items: Item[] = [];
  for (const index of context.items.keys()) {
    const pairedItem = { item: index };
    try {
      const input = [{ json: itemFor(context, index) }];
      const result = await callChild(context, { item: index, input, waitsForEnd: true, earlier: earlier[index] });
      if (isWaited(result)) {
        if (result.kind === 'waiting') calls[index] = { executionId: result.executionId };
        keepCalls(context, calls);
        return { kind: 'wait', wait: waitRequestOf(result) };
      }
      calls[index] = { executionId: result.executionId };
      noteCalls(
        context,
        calls.flatMap((call) => ('executionId' in call ? [call.executionId] : [])),
      );
      const made = result.kind === 'started' ? [] : resultItems(result);
      if (made.length === 0) throw new NodeFailure('The workflow did not return a response', { itemIndex: index });
      // Up to version 2 the response is the first item.
      for (const { json } of context.version > 2 ? made : made.slice(0, 1)) items.push({ json, pairedItem });
    } catch (thrown) {
      if (!context.continueOnFail || context.signal.aborted) throw thrown;
      calls[index] ??= { error: messageOf(thrown) };
      items.push({ json: { error: messageOf(thrown) }, pairedItem });
    }
  }
  forgetCalls(context);
  return output(items);
}

/** The item that the called workflow begins with. */
function itemFor(context: NodeContext, itemIndex: number): JsonObject {
  const input = checkedInput(context, itemIndex, workflowSchema(context, itemIndex));
  const fields = fieldsOfInput(context, itemIndex, input);
  if (context.version >= 2)
    return declaresInputs(context)
      ? declaredValues(context, fields, itemIndex, { converts: true, checksStrings: true })
      : fields;
  const { fields: extra } = manualFields(
    { version: 3 },
    objectsParameter(context, 'fields.values', itemIndex),
    itemIndex,
  );
  const place = { context: { version: 3.2, timezone: context.timezone }, itemIndex, ignoreConversionErrors: false };
  return { ...fields, ...Object.fromEntries(extra.map((field) => [field.name, typedValue(field, place)])) };
}
