import type { NodeContext } from '@weft/engine';
import { type JsonObject, textField } from '@weft/node-catalogue';
import { textParameter, toJsonObject } from '../../shared/read-parameter';

/** The parameter `options`, with only what is set. */
export function optionsOf(context: NodeContext, itemIndex: number): JsonObject {
  return toJsonObject(context.parameter('options', itemIndex)) ?? {};
}

/** The name of the model in a resource locator, or in a text; empty if none is chosen. */
export function modelIdOf(context: NodeContext, itemIndex: number): string {
  const located = toJsonObject(context.parameter('modelId', itemIndex));
  return located === undefined ? textParameter(context, 'modelId', itemIndex) : (textField(located, 'value') ?? '');
}
