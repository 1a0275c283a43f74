import type { NodeContext } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { choiceParameter } from '../../shared/read-parameter';
import { jsonParameterOf, type SchemaPlace, schemaParameterOf } from './schema/read-schema';
import { schemaOfExample } from './schema/schema-of-example';

/**
 * The JSON Schema that a user gave by an example or directly, for one item.
 * @param form `manual`: the parameter that always has a schema; otherwise `schemaType` chooses
 * @throws NodeFailure that names the field
 */
export function userSchemaOf(
  context: Pick<NodeContext, 'node' | 'parameter' | 'defaultOf'>,
  itemIndex: number,
  { manual, allRequired = false }: { readonly manual?: string; readonly allRequired?: boolean },
): { readonly schema: JsonObject; readonly place: SchemaPlace } {
  const type =
    manual === undefined ? choiceParameter(context, 'schemaType', itemIndex, ['fromJson', 'manual']) : 'manual';
  if (type === 'manual') {
    const place = { field: 'JSON Schema', node: context.node.name, itemIndex };
    return { schema: schemaParameterOf(context.parameter(manual ?? 'inputSchema', itemIndex), place), place };
  }
  const place = { field: 'JSON example', node: context.node.name, itemIndex };
  const example = jsonParameterOf(context.parameter('jsonSchemaExample', itemIndex), place);
  return { schema: schemaOfExample(example, allRequired), place };
}
