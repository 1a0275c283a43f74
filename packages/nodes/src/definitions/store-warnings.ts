import {
  type DefinitionError,
  field,
  isJsonObject,
  kindNameOf,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue';

const KIND = 'langchain.vectorStoreInMemory';
const DEFAULT_KEY = 'vector_store_key';

/**
 * Warnings about simple vector stores that are searched and never filled, since a store belongs to its workflow: in
 * n8n, another workflow may fill it. Keys that are expressions may be any key.
 */
export function storeWarnings({ nodes }: WorkflowDefinition): DefinitionError[] {
  const stores = nodes.filter((node) => node.disabled !== true && kindNameOf(node.type) === KIND);
  const filled = stores.filter(isFilled).map(keyOf);
  if (filled.some(isExpression)) return [];
  return stores
    .filter((node) => !isFilled(node) && !isExpression(keyOf(node)) && !filled.includes(keyOf(node)))
    .map((node) => ({
      node: node.name,
      field: 'parameters.memoryKey',
      message:
        `Node "${node.name}": no node of this workflow inserts documents into the store ` +
        `"${keyOf(node).slice(0, 200)}", and other workflows cannot. ` +
        'Move the node that inserts into this workflow, or use a vector database.',
    }));
}

const isFilled = ({ parameters }: NodeDefinition): boolean => field(parameters, 'mode') === 'insert';

const isExpression = (key: string): boolean => key.startsWith('=');

function keyOf({ parameters }: NodeDefinition): string {
  const given = field(parameters, 'memoryKey');
  const key = given !== undefined && isJsonObject(given) ? field(given, 'value') : given;
  return typeof key === 'string' ? key : DEFAULT_KEY;
}
