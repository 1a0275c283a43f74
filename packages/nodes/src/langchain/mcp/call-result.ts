import { NodeFailure } from '@weft/engine';
import { isJsonObject, type JsonObject, listField, objectField, textField } from '@weft/node-catalogue';

/** The fields of an item with the result of a call: `{ response, structuredContent? }`. */
export function resultFields(result: JsonObject): JsonObject {
  const structured = objectField(result, 'structuredContent');
  return {
    response: result['content'] ?? result['toolResult'] ?? null,
    ...(structured === undefined ? {} : { structuredContent: structured }),
  };
}

/** @throws NodeFailure with the words of the tool for a result that says that the call failed */
export function checkResult(result: JsonObject, tool: string, itemIndex: number): void {
  if (result['isError'] !== true) return;
  const text = listField(result, 'content').flatMap((part) => {
    const found = isJsonObject(part) ? textField(part, 'text') : undefined;
    return found === undefined ? [] : [found];
  })[0];
  throw new NodeFailure((text ?? `The tool "${tool}" failed`).slice(0, 2_000), { itemIndex });
}
