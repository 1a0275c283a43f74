import type { KindDescriptor } from '@weft/node-catalogue';
import { TOOL } from '../descriptor-parameters';

/** Articles of Wikipedia for a model. */
export const toolWikipedia: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolWikipedia',
  label: 'Wikipedia',
  description: 'Lets a model look things up in the English Wikipedia.',
  versions: [1],
  differs: ['The layout of the result is another one.'],
  parameters: [],
};
