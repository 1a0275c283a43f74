import type { SupplyContext } from '@weft/engine';
import type { ModelNode } from '@weft/models';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { toJson } from '@weft/expressions';

/** Parameters that model nodes have. */
const NAMES = ['model', 'modelName', 'options', 'responsesApiEnabled', 'builtInTools'] as const;

/** The node with its parameters resolved for the item of the root. @throws NodeFailure if an expression fails */
export function readModelNode(
  kind: string,
  context: Pick<SupplyContext, 'parameter' | 'itemIndex' | 'version'>,
): ModelNode {
  const parameters: JsonObject = {};
  for (const name of NAMES) {
    const value: Json | undefined = toJson(context.parameter(name, context.itemIndex));
    if (value !== undefined) parameters[name] = value;
  }
  return { kind, typeVersion: context.version, parameters };
}
