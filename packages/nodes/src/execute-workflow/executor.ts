import {
  type Item,
  messageOf,
  type NodeContext,
  type NodeExecutor,
  type NodeResult,
  output,
  type ResultItem,
} from '@weft/engine';
import { booleanParameter, choiceParameter } from '../shared/read-parameter';
import { callEach } from './call-each';
import { waitRequestOf, callChild, isWaited, noteCalls, resultItems } from './call-child';
import { childItems } from './child-input';
import { earlierCalls, forgetCalls, keepCalls } from './open-calls';

/** Calls another workflow, with all items at once or with each separately, and outputs the result of its last node. */
export const executeWorkflow: NodeExecutor = {
  kind: 'executeWorkflow',
  actsOutside: true,
  run: (context) => {
    const mode = choiceParameter(context, 'mode', 0, ['once', 'each']);
    const called = mode === 'each' ? callEach(context) : callOnce(context);
    return called.catch((thrown: unknown) => {
      // A run that was stopped resumes here on another runner.
      if (!context.signal.aborted) forgetCalls(context);
      throw thrown;
    });
  },
};

async function callOnce(context: NodeContext): Promise<NodeResult> {
  try {
    const waitsForEnd = booleanParameter(context, 'options.waitForSubWorkflow', 0);
    const result = await callChild(context, {
      item: 0,
      input: await childItems(context),
      waitsForEnd,
      earlier: earlierCalls(context).at(-1),
    });
    if (isWaited(result)) {
      keepCalls(context, result.kind === 'later' ? [] : [{ executionId: result.executionId }]);
      return { kind: 'wait', wait: waitRequestOf(result) };
    }
    forgetCalls(context);
    noteCalls(context, [result.executionId]);
    if (result.kind === 'started')
      return output(context.items.map((item, index) => ({ ...item, pairedItem: { item: index } })));
    return output(paired(resultItems(result), context.items.length));
  } catch (thrown) {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    forgetCalls(context);
    return output(paired([{ json: { error: messageOf(thrown) } }], context.items.length));
  }
}

/**
 * Items made from all input items, each linked to its origin if that is known. Otherwise each is linked to the input
 * item at its index if their number is the same, else to all of them.
 */
function paired(items: readonly ResultItem[], inputCount: number): Item[] {
  const all = Array.from({ length: inputCount }, (_, item) => ({ item }));
  return items.map(({ origin, ...item }, index) => {
    if (origin !== undefined && origin < inputCount) return { ...item, pairedItem: { item: origin } };
    return { ...item, pairedItem: items.length === inputCount ? { item: index } : all };
  });
}
