import { type KindDescriptor, objectField, toolName } from '@weft/node-catalogue';
import {
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type RunNode,
  type SupplyContext,
  type Tool,
} from '@weft/engine';
import { textParameter } from '../../../shared/read-parameter';
import { fromAiSchema } from '../from-ai/arguments-schema';
import { checkArguments } from '../schema/check-arguments';
import { describeOperation } from './describe-operation';

/**
 * The executor of the tool of a kind: it runs as the kind, with an item that has the arguments of the call next to the
 * fields of the root's item.
 * @param describe gives the descriptor of the tool, when a node of it first runs
 * @param run replaces the run of the kind
 */
export function toolExecutor(
  kind: string,
  base: NodeExecutor,
  describe: () => KindDescriptor,
  run: RunNode = base.run,
): NodeExecutor {
  const { requiredInputs: _inputs, outputCount: _outputs, supplies: _supplies, ...rest } = base;
  return {
    ...rest,
    kind,
    run: (context) => {
      checkCall(context);
      return run(context);
    },
    supplies: { ai_tool: (context) => toolOf(context, describe()) },
  };
}

/**
 * A root that has not checked the arguments would let a model replace fields of the item that expressions read.
 * @throws NodeFailure with a sentence that a model can act on
 */
function checkCall({ toolCall, node }: NodeContext): void {
  if (toolCall === undefined) return;
  const schema = fromAiSchema(node.parameters);
  const known = objectField(schema, 'properties') ?? {};
  const unknown = Object.keys(toolCall.input).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new NodeFailure(`The tool has no argument ${JSON.stringify(unknown.slice(0, 100))}`, {
      description: `Its arguments are: ${Object.keys(known).join(', ')}.`,
    });
  const checked = checkArguments(schema, toolCall.input);
  if ('fault' in checked) throw new NodeFailure(checked.fault);
}

function toolOf(context: SupplyContext, descriptor: KindDescriptor): Tool {
  const { node, itemIndex } = context;
  const name = toolName(node.name) || descriptor.kind;
  const parameters = fromAiSchema(node.parameters);
  return { functions: [{ name, description: descriptionOf(context, descriptor, itemIndex), parameters }] };
}

/** The description as written, or one made from the operation if none is. */
function descriptionOf(context: SupplyContext, descriptor: KindDescriptor, itemIndex: number): string {
  const { node, version } = context;
  const isAutomatic = node.parameters['descriptionType'] === 'auto' || !hasText(node.parameters['toolDescription']);
  if (isAutomatic) return describeOperation(node.parameters, descriptor, version);
  const text = textParameter(context, 'toolDescription', itemIndex);
  if (text.length > MAX_DESCRIPTION)
    throw new NodeFailure(`The description of the tool "${node.name}" is longer than ${MAX_DESCRIPTION} characters`);
  return text;
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Maximum length of a description in characters. */
export const MAX_DESCRIPTION = 16_000;
