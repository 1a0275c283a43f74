import type { JsonObject } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { choiceParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';

/** Outputs the items from the calling workflow with all their fields, or only the declared ones. */
export const executeWorkflowTrigger: NodeExecutor = {
  kind: 'executeWorkflowTrigger',
  actsOutside: false,
  run: (context) => {
    const names = declaredNames(context);
    if (names.length === 0) return output(context.items);
    return output(context.items.map((item) => ({ ...item, json: declaredFields(item.json, names) })));
  },
};

/** Empty: all fields are accepted. */
function declaredNames(context: NodeContext): string[] {
  if (context.version < 1.1) return [];
  switch (
    choiceParameter(context, 'inputSource', 0, ['workflowInputs', 'jsonExample', 'passthrough'], 'workflowInputs')
  ) {
    case 'passthrough':
      return [];
    case 'jsonExample':
      return exampleNames(textParameter(context, 'jsonExample', 0));
    case 'workflowInputs':
      return objectsParameter(context, 'workflowInputs.values', 0).flatMap(({ name }) =>
        typeof name === 'string' && name !== '' ? [name] : [],
      );
  }
}

function exampleNames(text: string): string[] {
  const example = parseLooseJson(text);
  if (typeof example === 'object' && example !== null && !Array.isArray(example)) return Object.keys(example);
  throw new NodeFailure('The example of the input is not a JSON object');
}

/** A declared field that is missing becomes null. */
function declaredFields(json: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(json, name) ? (json[name] ?? null) : null]));
}
