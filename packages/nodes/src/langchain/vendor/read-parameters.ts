import { type NodeContext, NodeFailure } from '@weft/engine';
import { type JsonObject, textField } from '@weft/node-catalogue';
import { textParameter, toJsonObject } from '../../shared/read-parameter';

/** The parameter `options`, with only what is set. */
export function optionsOf(context: NodeContext, itemIndex: number): JsonObject {
  return toJsonObject(context.parameter('options', itemIndex)) ?? {};
}

/** The name of the model; empty if none is chosen. */
export const modelIdOf = (context: NodeContext, itemIndex: number): string => locatedId(context, 'modelId', itemIndex);

/** The ID in a resource locator, or in a text; empty if none is chosen. */
export function locatedId(context: NodeContext, name: string, itemIndex: number): string {
  const located = toJsonObject(context.parameter(name, itemIndex));
  return located === undefined ? textParameter(context, name, itemIndex) : (textField(located, 'value') ?? '');
}

/** An ID for the path of a request. @throws NodeFailure if it is empty: the path would be that of the whole list */
export function pathId(context: NodeContext, name: string, itemIndex: number): string {
  const id = locatedId(context, name, itemIndex).trim();
  if (id === '') throw new NodeFailure(`The ID is empty: set the parameter "${name}"`, { itemIndex });
  return encodeURIComponent(id);
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
