import {
  type ChildResult,
  type Item,
  messageOf,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { booleanParameter } from '../shared/read-parameter';
import { waitRequestOf, callChild, isWaited, noteCalls, resultItems } from './call-child';
import { childItems } from './child-input';
import { earlierCalls, forgetCalls, keepCalls, type EarlierCall } from './open-calls';

/** Result of the call for one item. */
type ItemResult =
  | { readonly kind: 'done'; readonly items: readonly Item[]; readonly call: EarlierCall }
  | Extract<ChildResult, { kind: 'waiting' | 'later' }>;

/**
 * Calls the workflow for one item at a time. A run that had to wait continues with the item it waited for. The results
 * of earlier items are requested once, at the end, so that the cost of waiting does not grow with every item.
 */
export async function callEach(context: NodeContext): Promise<NodeResult> {
  const input = await childItems(context);
  const earlier = earlierCalls(context);
  const calls: EarlierCall[] = [...earlier];
  const results: (readonly Item[])[] = [];
  const resumesAt = Math.max(0, earlier.length - 1);
  const order = [...input.keys()].slice(resumesAt).concat([...input.keys()].slice(0, resumesAt));
  for (const item of order) {
    const result = await callFor(context, item, input, earlier[item]);
    if (result.kind !== 'done') {
      if (result.kind === 'waiting') calls[item] = { executionId: result.executionId };
      keepCalls(context, calls);
      return { kind: 'wait', wait: waitRequestOf(result) };
    }
    calls[item] = result.call;
    results[item] = result.items;
  }
  forgetCalls(context);
  noteCalls(
    context,
    calls.flatMap((call) => ('executionId' in call ? [call.executionId] : [])),
  );
  return output(results.flat());
}

async function callFor(
  context: NodeContext,
  item: number,
  input: readonly Item[],
  earlier: EarlierCall | undefined,
): Promise<ItemResult> {
  const pairedItem = { item };
  try {
    const waitsForEnd = booleanParameter(context, 'options.waitForSubWorkflow', item);
    const result = await callChild(context, { item, input: input.slice(item, item + 1), waitsForEnd, earlier });
    if (isWaited(result)) return result;
    const call = { executionId: result.executionId };
    if (result.kind === 'failed' && context.continueOnFail)
      return { kind: 'done', items: [failedItem(result.message, item)], call };
    const items = result.kind === 'started' ? context.items.slice(item, item + 1) : resultItems(result);
    return {
      kind: 'done',
      items: items.map(({ json, binary }) => ({ json, ...(binary === undefined ? {} : { binary }), pairedItem })),
      call,
    };
  } catch (thrown) {
    if (context.continueOnFail && !context.signal.aborted)
      return { kind: 'done', items: [failedItem(messageOf(thrown), item)], call: { error: messageOf(thrown) } };
    throw isOfChildNode(thrown) ? thrown : failureOf(thrown, item);
  }
}

const failedItem = (message: string, item: number): Item => ({
  json: { error: message },
  pairedItem: { item },
  error: { message },
});

/** True for the failure of a node of the called workflow, which is passed on unchanged. */
function isOfChildNode(thrown: unknown): boolean {
  return (
    thrown instanceof NodeFailure &&
    thrown.name === 'NodeOperationError' &&
    thrown.context?.['executionId'] !== undefined
  );
}

function failureOf(thrown: unknown, itemIndex: number): NodeFailure {
  const details = thrown instanceof NodeFailure ? [thrown.message, thrown.description] : [messageOf(thrown)];
  return new NodeFailure(`Error executing workflow with item at index ${itemIndex}`, {
    itemIndex,
    cause: thrown,
    description: details.filter((one) => one !== undefined).join(' — '),
    ...(thrown instanceof NodeFailure && thrown.context !== undefined ? { context: thrown.context } : {}),
  });
}
