import type { NodeContext } from '@weft/engine';
import type { ChatMessage } from '@weft/models';
import { field, isJsonObject, type Json, type JsonObject, listField, numberField } from '@weft/node-catalogue';
import { booleanParameter } from '../../shared/read-parameter';
import { modelIdOf, optionsOf } from '../vendor/read-parameters';
import { parsedOr, type TextOperation } from '../vendor/text-operation';
import { openAiModel } from './openai-service';
import { readPrompts } from './read-messages';

/** Asks for what the service requires with JSON: that the prompt names it. */
export const JSON_PROMPT: ChatMessage = { role: 'system', content: 'Answer with one JSON object.' };
/** Options of the node by the names of chat model nodes. */
const NAMES: Readonly<Record<string, string>> = {
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  reasoning_effort: 'reasoningEffort',
};
/** Rounds of tools by default, from version 1.5 on. Before it there is no limit of the node. */
const ROUNDS = { initial: 15, since: 1.5 } as const;

/** Version 1: the chat API. */
export const message: TextOperation = {
  read: async (context, itemIndex) => {
    const given = optionsOf(context, itemIndex);
    const answersJson = booleanParameter(context, 'jsonOutput', itemIndex);
    const { n, maxToolsIterations: _rounds, ...rest } = given;
    const options: JsonObject = { extraBody: n === undefined ? {} : { n } };
    for (const [name, value] of Object.entries(rest)) options[NAMES[name] ?? name] = value;
    const prompts = await readPrompts(context, 'messages.values', itemIndex);
    return {
      choice: openAiModel({ model: modelIdOf(context, itemIndex), usesResponses: false, options }),
      messages: answersJson ? [JSON_PROMPT, ...prompts] : prompts,
      settings: answersJson ? { json: true } : {},
      rounds: roundsOf(context, given),
    };
  },
  itemsOf: (raw, context, itemIndex) => {
    const choices = [...listField(raw, 'choices')];
    const read = booleanParameter(context, 'jsonOutput', itemIndex) ? choices.map(parsedChoice) : choices;
    if (!booleanParameter(context, 'simplify', itemIndex)) return [{ ...raw, choices: read }];
    return read.filter(isJsonObject);
  },
};

function roundsOf({ version }: NodeContext, options: JsonObject): number {
  if (version < ROUNDS.since) return 0;
  return numberField(options, 'maxToolsIterations') ?? ROUNDS.initial;
}

/** A choice whose content is read as JSON, if it is JSON. */
function parsedChoice(choice: Json): Json {
  const own = field(choice, 'message');
  if (!isJsonObject(choice) || !isJsonObject(own)) return choice;
  return { ...choice, message: { ...own, content: parsedOr(own['content']) } };
}
