import {
  acceptedBy,
  type Attachment,
  attachmentsOf,
  type DefinitionError,
  descriptorAmong,
  type KindTable,
  type NodeDefinition,
  parameterOrDefault,
  providedBy,
  toolName,
  versionOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';

/** Levels of sub-nodes of sub-nodes. */
const MAX_DEPTH = 5;

type Graph = Pick<WorkflowDefinition, 'nodes' | 'connections'>;

/**
 * Errors of the sub-nodes of all enabled nodes whose kinds are known: missing or too many ones, those that provide
 * another type, and those that are nested in a circle or too deep. Disabled sub-nodes count as absent.
 */
export function attachmentErrors(definition: Graph, kinds: KindTable): DefinitionError[] {
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]));
  const isEnabled = (name: string): boolean => nodes.get(name)?.disabled !== true;
  const attachments = attachmentsOf(definition).filter(({ from, to }) => isEnabled(from) && isEnabled(to));
  const attached = Map.groupBy(attachments, ({ to }) => to);
  return definition.nodes.flatMap((node) => {
    const descriptor = descriptorAmong(node, kinds);
    const own = attached.get(node.name) ?? [];
    if (node.disabled === true || descriptor === undefined) return [];
    // A sub-node that nothing uses does not run.
    const isUsed = descriptor.provides === undefined || attachments.some(({ from }) => from === node.name);
    return [
      ...own.flatMap((one) => wrongType(node, one, nodes, kinds)),
      ...(isUsed ? numberErrors(node, own, kinds) : []),
      ...sameNames(node, own, nodes, kinds),
      ...(own.length === 0 ? [] : depthErrors(node, attached)),
    ];
  });
}

/** Names of all sub-nodes of the given nodes, and of their sub-nodes. */
export function withSubNodes(definition: Graph, names: ReadonlySet<string>): ReadonlySet<string> {
  const attached = Map.groupBy(attachmentsOf(definition), ({ to }) => to);
  const found = new Set(names);
  // The set grows while iterated: every name is visited once.
  for (const name of found) for (const { from } of attached.get(name) ?? []) found.add(from);
  return found;
}

function wrongType(
  node: NodeDefinition,
  { type, from }: Attachment,
  nodes: ReadonlyMap<string, NodeDefinition>,
  kinds: KindTable,
): DefinitionError[] {
  const descriptor = descriptorAmong(node, kinds);
  const subNode = nodes.get(from);
  const subKind = subNode === undefined ? undefined : descriptorAmong(subNode, kinds);
  const field = `connections[${JSON.stringify(from)}].${type}`;
  if (descriptor !== undefined && !acceptedBy(node, descriptor).some((one) => one.type === type)) {
    const message =
      `Node "${node.name}" (${descriptor.kind}) uses no sub-node of type ${type}: ` + `remove the link from "${from}".`;
    return [{ node: node.name, field, message }];
  }
  if (subNode === undefined || subKind === undefined || providedBy(subNode, subKind).includes(type)) return [];
  const provided = providedBy(subNode, subKind);
  const message =
    `Node "${from}" (${subKind.kind}) cannot be connected to "${node.name}" as ${type}: ` +
    `it ${provided.length === 0 ? 'is not a sub-node' : `provides ${provided.join(', ')}`}.`;
  return [{ node: from, field, message }];
}

function numberErrors(node: NodeDefinition, own: readonly Attachment[], kinds: KindTable): DefinitionError[] {
  const descriptor = descriptorAmong(node, kinds);
  if (descriptor === undefined) return [];
  // Where an expression decides which of several rules holds, the most lenient one does.
  return [...Map.groupBy(acceptedBy(node, descriptor), ({ type }) => type)].flatMap(([type, rules]) => {
    const count = own.filter((one) => one.type === type).length;
    const field = `connections.${type}`;
    if (count === 0 && rules.every(({ required }) => required === true)) {
      const message = `Node "${node.name}" has no ${rules[0]?.label ?? type}: connect a sub-node to its input ${type}.`;
      return [{ node: node.name, field, message }];
    }
    const max = Math.max(...rules.map((rule) => rule.max ?? Infinity));
    if (count <= max) return [];
    const message = `Node "${node.name}" has ${count} sub-nodes of type ${type}; it uses at most ${max}.`;
    return [{ node: node.name, field, message }];
  });
}

/** Tools are told apart by the names of their functions. */
function sameNames(
  node: NodeDefinition,
  own: readonly Attachment[],
  nodes: ReadonlyMap<string, NodeDefinition>,
  kinds: KindTable,
): DefinitionError[] {
  const names = new Map<string, string>();
  return own
    .filter(({ type }) => type === 'ai_tool')
    .flatMap(({ from }) => {
      const tool = nodes.get(from);
      const name = tool === undefined ? undefined : functionNameOf(tool, kinds);
      if (name === undefined) return [];
      const other = names.get(name);
      names.set(name, from);
      if (other === undefined || other === from) return [];
      const message =
        `The tools "${other}" and "${from}" of node "${node.name}" have the same name for the model (${name}): ` +
        'rename one of them.';
      return [{ node: from, field: 'name', message }];
    });
}

/** Name of the function of a tool with one function, as far as it is known before the run. */
export function functionNameOf(tool: NodeDefinition, kinds: KindTable): string | undefined {
  const descriptor = descriptorAmong(tool, kinds);
  if (descriptor === undefined) return undefined;
  const named = parameterOrDefault(tool.parameters, descriptor, versionOf(tool, descriptor), 'name');
  if (typeof named !== 'string' || named === '') return toolName(tool.name);
  return named.startsWith('=') ? undefined : named;
}

function depthErrors(node: NodeDefinition, attached: ReadonlyMap<string, readonly Attachment[]>): DefinitionError[] {
  let layer = [node.name];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const next = new Set(layer.flatMap((name) => (attached.get(name) ?? []).map(({ from }) => from)));
    const field = 'connections';
    if (next.has(node.name))
      return [{ node: node.name, field, message: `Node "${node.name}" is a sub-node of itself: remove the circle.` }];
    if (depth === MAX_DEPTH && next.size > 0) {
      const message = `The sub-nodes of node "${node.name}" are nested more than ${MAX_DEPTH} levels deep.`;
      return [{ node: node.name, field, message }];
    }
    layer = [...next];
  }
  return [];
}
