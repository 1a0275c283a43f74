import { type Item, type NodeContext, type NodeExecutor, NodeFailure, type NodeShape, outputs } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject, plainValue } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../../shared/read-parameter';
import { type AnswerForm, answerFormOf } from '../../parsers/answer-form';
import { Misfit } from '../../parsers/misfit';
import { askForForm } from '../shared/ask-for-form';
import { fillTemplate } from '../shared/fill-template';
import { batchingOf, workItems, type Worked } from '../shared/work-items';
import { SENTIMENT_PROMPT, SENTIMENTS } from './descriptor';

const EMPTY = 'The field "Text" is empty.';

const MAX_SENTIMENTS = 100;

/** Sends each item to the output of the sentiment of its text. */
export const sentimentAnalysis: NodeExecutor = {
  kind: 'langchain.sentimentAnalysis',
  actsOutside: true,
  outputCount: (shape) => Math.max(1, sentimentsOf(shape).length),
  run: (context) => {
    const sentiments = sentimentsOf(context);
    if (sentiments.length === 0)
      throw new NodeFailure('No sentiment categories provided', { description: 'Enter some in "Sentiments".' });
    const form = formOf(context.node.name, sentiments);
    return workItems(
      context,
      batchingOf(context, 'options.batching', context.version >= 1.1),
      (itemIndex) => ask(context, itemIndex, form, sentiments),
      (results) => outputs(...placed(context, results, sentiments)),
    );
  },
};

function sentimentsOf(node: Pick<NodeShape, 'rawParameter'>): string[] {
  const given = plainValue(node.rawParameter('options.categories'));
  const text = typeof given === 'string' ? given : SENTIMENTS;
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, MAX_SENTIMENTS);
}

function formOf(node: string, sentiments: readonly string[]): AnswerForm {
  const place = { field: 'Sentiments', node, itemIndex: 0 };
  const form = answerFormOf(schemaOf({ type: 'string' }, { minimum: 0, maximum: 1 }), place);
  const named = (text: string): Json => {
    const answer = form.read(text);
    const given = isJsonObject(answer) ? String(answer['sentiment']) : '';
    const sentiment = sentiments.find((one) => one.toLowerCase() === given.trim().toLowerCase());
    if (sentiment !== undefined && isJsonObject(answer)) return { ...answer, sentiment };
    throw new Misfit(`${JSON.stringify(given.slice(0, 100))} is not one of ${sentiments.join(', ')}.`);
  };
  // not all services enforce bounds of numbers
  const schema = schemaOf({ type: 'string', enum: [...sentiments] }, { description: 'From 0 to 1.' });
  return { ...answerFormOf(schema, place), read: named };
}

function schemaOf(sentiment: JsonObject, bounds: JsonObject): JsonObject {
  const share = { type: 'number', ...bounds };
  return {
    type: 'object',
    properties: { sentiment, strength: share, confidence: share },
    required: ['sentiment', 'strength', 'confidence'],
  };
}

async function ask(
  context: NodeContext,
  itemIndex: number,
  form: AnswerForm,
  sentiments: readonly string[],
): Promise<Json> {
  const text = textParameter(context, 'inputText', itemIndex);
  if (text === '') throw new NodeFailure('There is no text to analyze', { itemIndex, description: EMPTY });
  const template = textParameter(context, 'options.systemPromptTemplate', itemIndex, SENTIMENT_PROMPT);
  const system = fillTemplate(template, { categories: sentiments.join(', ') });
  const fixes = booleanParameter(context, 'options.enableAutoFixing', itemIndex);
  return askForForm(context, { itemIndex, system, text, form, fixes });
}

/** Items with the sentiment added. Failed ones are sent to the first output, as in n8n. */
function placed(context: NodeContext, results: readonly Worked[], sentiments: readonly string[]): Item[][] {
  const placed: Item[][] = sentiments.map(() => []);
  results.forEach((one, index) => {
    const pairedItem = { item: index };
    const { json = {}, binary } = context.items[index] ?? {};
    if ('error' in one) placed[0]?.push({ json: { error: one.error }, pairedItem });
    else if (isJsonObject(one.value)) {
      const { sentiment = '', strength = null, confidence = null } = one.value;
      const details = booleanParameter(context, 'options.includeDetailedResults', index);
      const analysis = { category: sentiment, ...(details ? { strength, confidence } : {}) };
      placed[sentiments.indexOf(String(sentiment))]?.push({
        json: { ...json, sentimentAnalysis: analysis },
        ...(binary === undefined ? {} : { binary }),
        pairedItem,
      });
    }
  });
  return placed;
}
