import type { NodeExecutor } from '@weft/engine';
import { textParameter } from '../../../shared/read-parameter';
import { respondToEach, TEXT_INPUT, textInput } from '../input-tool';
import { toolName } from '@weft/node-catalogue';

/** Returns the thought of the model. */
export const toolThink: NodeExecutor = {
  kind: 'langchain.toolThink',
  actsOutside: false,
  supplies: {
    ai_tool: (context) => ({
      functions: [
        {
          name: context.version === 1 ? 'thinking_tool' : toolName(context.node.name) || 'think',
          description: textParameter(context, 'description', context.itemIndex),
          parameters: TEXT_INPUT,
        },
      ],
    }),
  },
  run: (context) => respondToEach(context, (index) => textInput(context, index)),
};
