import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { choiceParameter, numberParameter, textParameter } from '../../../shared/read-parameter';
import { modelsOf } from '../shared/ask-model';
import { batchingOf, itemsWith, workItems } from '../shared/work-items';
import { REFINE_PROMPT, SUMMARY_PROMPT } from './descriptor';
import { loadTexts } from './load-texts';
import { type PartSizes, splitText } from '../../shared/split-text';
import { type Ask, mapReduce, refine, stuff } from './summarize';

const PROMPTS = 'options.summarizationMethodAndPrompts.values';

/** Summarizes the text of each item. */
export const chainSummarization: NodeExecutor = {
  kind: 'langchain.chainSummarization',
  actsOutside: true,
  run: (context) => {
    const batching = batchingOf(context, 'options.batching', context.version >= 2.1);
    // n8n names the field by the way it goes through the items
    const field = context.version >= 2.1 && batching.size > 1 ? 'output' : 'response';
    return workItems(
      context,
      batching,
      (itemIndex) => summarize(context, itemIndex),
      (results) => output(itemsWith(field, results)),
    );
  },
};

async function summarize(context: NodeContext, itemIndex: number): Promise<JsonObject> {
  const sizes = sizesOf(context, itemIndex);
  const parts = (await loadTexts(context, itemIndex)).flatMap((text) => splitText(text, sizes));
  const models = await modelsOf(context, itemIndex);
  const ask: Ask = async (content) => (await models.call({ messages: [{ role: 'user', content }] })).message.content;
  const prompt = (name: string, initial = SUMMARY_PROMPT): string =>
    textParameter(context, `${PROMPTS}.${name}`, itemIndex, initial);
  const method = choiceParameter(
    context,
    `${PROMPTS}.summarizationMethod`,
    itemIndex,
    ['map_reduce', 'refine', 'stuff'],
    'map_reduce',
  );
  if (method === 'stuff') return { text: await stuff(ask, parts, prompt('prompt')) };
  if (method === 'map_reduce')
    return { text: await mapReduce(ask, parts, prompt('combineMapPrompt'), prompt('prompt')) };
  const first = prompt('refineQuestionPrompt');
  return { output_text: await refine(ask, parts, first, prompt('refinePrompt', REFINE_PROMPT)) };
}

function sizesOf(context: NodeContext, itemIndex: number): PartSizes {
  choiceParameter(context, 'chunkingMode', itemIndex, ['simple']);
  const size = Math.floor(numberParameter(context, 'chunkSize', itemIndex));
  const overlap = Math.floor(numberParameter(context, 'chunkOverlap', itemIndex));
  if (size < 1) throw new NodeFailure('The field "Characters of a part" must be at least 1', { itemIndex });
  if (overlap >= 0 && overlap < size) return { size, overlap };
  throw new NodeFailure('The field "Overlap" must be at least 0 and less than "Characters of a part"', { itemIndex });
}
