import type { SupplyContext } from '@weft/engine';
import type { ChatResult, ToolCall } from '@weft/models';
import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/node-catalogue';

/** Name of the counts among the state that all nodes of a run share. */
const MEMORY = 'pinnedModelCalls';

/**
 * The response that pinned items have for the next call of a node in this execution: the first call gets the first
 * item, and calls beyond the last one get the last. Undefined without items. An item is a recorded output, or has the
 * text in `text` or `output`; any other item is itself the text, as JSON.
 */
export function pinnedResponse({
  pins = [],
  node,
  runMemory,
}: Pick<SupplyContext, 'pins' | 'node' | 'runMemory'>): ChatResult | undefined {
  if (pins.length === 0) return undefined;
  const counts = objectField(runMemory, MEMORY) ?? {};
  const call = numberField(counts, node.name) ?? 0;
  runMemory[MEMORY] = { ...counts, [node.name]: call + 1 };
  const json = pins[Math.min(call, pins.length - 1)]?.json;
  if (json === undefined) return undefined;
  const generation = generationIn(json);
  const content = generation === undefined ? textIn(json) : (textField(generation, 'text') ?? '');
  const toolCalls = listField(generation, 'toolCalls').flatMap(callOf);
  return {
    message: { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) },
    toolCalls,
    usage: undefined,
    finish: toolCalls.length > 0 ? 'toolCalls' : 'stop',
    raw: {},
  };
}

/** The first generation of a recorded output. */
function generationIn(json: JsonObject): JsonObject | undefined {
  const [first] = listField(objectField(json, 'response'), 'generations');
  const generation = Array.isArray(first) ? first[0] : undefined;
  return isJsonObject(generation) ? generation : undefined;
}

function textIn(json: JsonObject): string {
  return textField(json, 'text') ?? textField(json, 'output') ?? JSON.stringify(json);
}

function callOf(call: Json, index: number): ToolCall[] {
  const name = textField(call, 'name');
  const input = field(call, 'input');
  if (name === undefined) return [];
  return [{ id: textField(call, 'id') ?? `pinned_${index}`, name, input: isJsonObject(input) ? input : {} }];
}
