import { type Item, type NodeContext, type NodeExecutor, output, type OutputParser } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../../shared/read-parameter';
import { readAnswerJson } from '../../parsers/answer-json';
import { failureOfMisfit } from '../../parsers/misfit';
import { answerSchemaFor } from '../shared/answer-schema';
import { modelsOf } from '../shared/ask-model';
import { promptOf } from '../shared/prompt-of';
import { batchingOf, workItems, type Worked } from '../shared/work-items';
import { messagesOf } from './messages';

/** Sends a prompt for each item to a model. */
export const chainLlm: NodeExecutor = {
  kind: 'langchain.chainLlm',
  actsOutside: true,
  run: (context) => {
    const batching = batchingOf(context, 'batching', context.version >= 1.7);
    return workItems(
      context,
      batching,
      (itemIndex) => answerFor(context, itemIndex),
      (results) => output(results.flatMap(itemsOf)),
    );
  },
};

/** The answers for one item: JSON of the items that they become. */
async function answerFor(context: NodeContext, itemIndex: number): Promise<Json> {
  const prompt = context.version < 1.4 ? textParameter(context, 'prompt', itemIndex) : promptOf(context, itemIndex);
  const parser = await parserOf(context, itemIndex);
  const models = await modelsOf(context, itemIndex, booleanParameter(context, 'needsFallback', 0));
  const enforced = answerSchemaFor(models, parser?.schema);
  const instructions = enforced.schema === undefined ? (parser?.instructions ?? '') : '';
  const messages = await messagesOf(context, itemIndex, prompt, instructions);
  const { message } = await models.call({ messages, ...enforced });
  const text = message.content;
  if (parser !== undefined) return answersIn(await parser.parse(text), true);
  if (!models.answersJson) return [{ text: text.trim() }];
  return answersIn(jsonIn(text, itemIndex), context.version >= 1.6);
}

async function parserOf(context: NodeContext, itemIndex: number): Promise<OutputParser | undefined> {
  const hasSetting = context.defaultOf('hasOutputParser') !== undefined;
  if (hasSetting && !booleanParameter(context, 'hasOutputParser', 0)) return undefined;
  const [supplied] = await context.attached('ai_outputParser', itemIndex);
  return supplied?.handle;
}

/** The answer of a model whose settings make it answer with JSON. @throws NodeFailure if it is something else */
function jsonIn(text: string, itemIndex: number): Json {
  try {
    return readAnswerJson(text)[0] ?? null;
  } catch (thrown) {
    throw failureOfMisfit(thrown, text, itemIndex);
  }
}

/** Each entry of a list becomes an item. */
function answersIn(result: Json, keepsObjects: boolean): JsonObject[] {
  return (Array.isArray(result) ? result : [result]).map((one) => jsonOf(one, keepsObjects));
}

function jsonOf(answer: Json, keepsObjects: boolean): JsonObject {
  if (typeof answer === 'string') return { text: answer.trim() };
  if (Array.isArray(answer)) return { data: answer };
  if (!isJsonObject(answer)) return { response: { text: answer } };
  return keepsObjects ? answer : { text: JSON.stringify(answer) };
}

function itemsOf(worked: Worked, item: number): Item[] {
  const pairedItem = { item };
  if ('error' in worked) return [{ json: { error: worked.error }, pairedItem }];
  return (Array.isArray(worked.value) ? worked.value : []).flatMap((json) =>
    isJsonObject(json) ? [{ json, pairedItem }] : [],
  );
}
