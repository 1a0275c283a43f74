import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { respondToEach, TEXT_INPUT, textInput } from '../input-tool';
import { toolName } from '@weft/node-catalogue';
import { calculate, CalculationError } from './calculate';

const DESCRIPTION =
  'Calculates the result of a formula. The input is a formula of numbers, operators and functions, for example ' +
  '"sqrt(2) * (3 + 4) ^ 2".';

/** Calculates formulas of a model. */
export const toolCalculator: NodeExecutor = {
  kind: 'langchain.toolCalculator',
  actsOutside: false,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [{ name: toolName(node.name) || 'calculator', description: DESCRIPTION, parameters: TEXT_INPUT }],
    }),
  },
  run: (context) =>
    respondToEach(context, (itemIndex) => {
      try {
        return String(calculate(textInput(context, itemIndex)));
      } catch (error) {
        throw error instanceof CalculationError ? new NodeFailure(error.message, { itemIndex }) : error;
      }
    }),
};
