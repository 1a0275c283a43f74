import { type NodeContext, NodeFailure } from '@weft/engine';
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

/** A text that must not be empty. */
export function promptOf(context: NodeContext, name: string, itemIndex: number): string {
  const text = textParameter(context, name, itemIndex);
  if (text.trim() !== '') return text;
  throw new NodeFailure('The prompt is empty for this item', {
    itemIndex,
    description: `Set the parameter "${name}". If it is an expression, it gives nothing for this item.`,
  });
}
