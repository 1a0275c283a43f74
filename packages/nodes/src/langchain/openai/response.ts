import {
  booleanField,
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/node-catalogue';
import { booleanParameter, toJsonObject } from '../../shared/read-parameter';
import { modelIdOf, optionsOf } from '../vendor/read-parameters';
import { parsedOr, type TextOperation } from '../vendor/text-operation';
import { JSON_PROMPT } from './message';
import { openAiModel } from './openai-service';
import { readPrompts } from './read-messages';

/** Rounds of tools by default. The node counts the answer after the last round too. */
const ROUNDS = 15;

/** Version 2: the API for responses. */
export const response: TextOperation = {
  read: async (context, itemIndex) => {
    const options = optionsOf(context, itemIndex);
    const rounds = numberField(options, 'maxToolsIterations') ?? ROUNDS;
    const prompts = await readPrompts(context, 'responses.values', itemIndex);
    return {
      choice: openAiModel({
        model: modelIdOf(context, itemIndex),
        usesResponses: true,
        options: { ...options, extraBody: bodyOf(options) },
        builtInTools: toJsonObject(context.parameter('builtInTools', itemIndex)) ?? {},
      }),
      messages: formOf(options) === 'json_object' ? [JSON_PROMPT, ...prompts] : prompts,
      settings: { parallelToolCalls: booleanField(options, 'parallelToolCalls') ?? true },
      rounds: rounds > 0 ? rounds + 1 : 0,
    };
  },
  itemsOf: (raw, context, itemIndex) => {
    const isJson = formOf(optionsOf(context, itemIndex))?.startsWith('json_') === true;
    const items = [...listField(raw, 'output')];
    const output = isJson ? items.map(parsedItem) : items;
    const { error, ...rest } = raw;
    const whole = error === null ? rest : raw;
    if (!booleanParameter(context, 'simplify', itemIndex)) return [{ ...whole, output }];
    return [{ output: output.filter((one) => textField(one, 'type') === 'message') }];
  },
};

/** Fields of the request that chat model nodes do not have. */
function bodyOf(options: JsonObject): JsonObject {
  const { reasoning } = options;
  const included = [...listField(options, 'include')];
  const chosen = firstOf(field(reasoning, 'reasoningOptions'));
  const summary = textField(chosen, 'summary');
  const effort = textField(chosen, 'effort');
  const fields: Readonly<Record<string, Json | undefined>> = {
    store: booleanField(options, 'store') ?? true,
    instructions: textField(options, 'instructions') || undefined,
    previous_response_id: textField(options, 'previousResponseId') || undefined,
    max_tool_calls: numberField(options, 'maxToolCalls'),
    include: included.length === 0 ? undefined : included,
    truncation: truncationOf(options),
    reasoning:
      chosen === undefined
        ? undefined
        : {
            ...(effort === undefined ? {} : { effort }),
            ...(summary === undefined || summary === 'none' ? {} : { summary }),
          },
  };
  const set: JsonObject = JSON.parse(JSON.stringify(fields));
  return set;
}

function truncationOf(options: JsonObject): string | undefined {
  const truncates = booleanField(options, 'truncation');
  return truncates === undefined ? undefined : truncates ? 'auto' : 'disabled';
}

const formOf = (options: JsonObject): string | undefined =>
  textField(firstOf(field(objectField(options, 'textFormat'), 'textOptions')), 'type');

/** A group of fields, which may be stored as a list of one. */
function firstOf(value: Json | undefined): JsonObject | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return isJsonObject(first) ? first : undefined;
}

/** A message with each text that is JSON read as JSON. */
function parsedItem(item: Json): Json {
  if (!isJsonObject(item) || item['type'] !== 'message') return item;
  const content = listField(item, 'content').map((part) =>
    isJsonObject(part) && part['type'] === 'output_text' ? { ...part, text: parsedOr(part['text']) } : part,
  );
  return { ...item, content };
}
