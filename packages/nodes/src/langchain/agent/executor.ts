import type { NodeContext, NodeExecutor, NodeResult } from '@weft/engine';
import { readBatching } from './agent-options';
import { runConversations } from './run-conversations';
import { takeStep } from './step';

/** From this version on, all items are handled at once; before it, a batch is finished before the next one begins. */
const ALL_AT_ONCE_SINCE = 3;

/**
 * An agent: it asks the model, lets the engine make the calls of tools that the model wants, and asks again with their
 * results. Each step is stored, so a run that continues elsewhere repeats no answer that was stored.
 */
export const agent: NodeExecutor = {
  kind: 'langchain.agent',
  actsOutside: true,
  run: runAgent,
};

/** Takes the next step of the conversations of all items, or gives their outputs. */
export function runAgent(context: NodeContext): Promise<NodeResult> {
  return runConversations(context, {
    ...readBatching(context),
    allAtOnce: context.version >= ALL_AT_ONCE_SINCE,
    takeStep,
  });
}
