import type { KindDescriptor } from '@weft/node-catalogue';
import { TOOL } from '../descriptor-parameters';

/** Arithmetic for a model. */
export const toolCalculator: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolCalculator',
  label: 'Calculator',
  description: 'Lets a model calculate: numbers, operators, and functions such as sqrt, round and log10.',
  versions: [1],
  parameters: [],
  differs: ['Variables, strings, lists and the definition of functions are refused: the tool only calculates numbers.'],
};
