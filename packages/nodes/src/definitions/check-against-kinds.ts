import {
  checkParameters,
  type DefinitionError,
  descriptorAmong,
  kindOf,
  type KindTable,
  MAX_FIELD_ERRORS,
  type NodeDefinition,
  versionOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import { attachmentErrors } from './check-attachments';
import { linkErrors } from './check-links';
import { insteadOf, isRefused } from './unknown-kinds';

/**
 * Errors of a definition against a table of kinds: the part of `checkDefinition` that an editor shows while a user
 * types. Paths of webhooks, forms and schedules are left to the server. Loads no catalogue: an editor gets the table
 * from `GET /node-types`.
 * @returns at most `MAX_FIELD_ERRORS` errors, in the order of the nodes
 */
export function checkAgainstKinds(definition: WorkflowDefinition, kinds: KindTable): DefinitionError[] {
  return [
    ...settingErrors(definition),
    ...nodeErrors(definition, kinds),
    ...attachmentErrors(definition, kinds),
    ...linkErrors(definition, kinds),
  ].slice(0, MAX_FIELD_ERRORS);
}

export { attachmentErrors };

/** Errors in the settings of a workflow. */
export function settingErrors({ settings }: WorkflowDefinition): DefinitionError[] {
  const order = settings.executionOrder;
  if (order === undefined || order === '' || order === 'v1') return [];
  return [
    {
      field: 'settings.executionOrder',
      message:
        order === 'v0'
          ? 'The execution order "v0" is not supported. Set settings.executionOrder to "v1": each branch then ' +
            'runs to its end before the next one begins.'
          : `The execution order ${JSON.stringify(order)} is not supported. Use "v1" or omit it.`,
    },
  ];
}

/** Errors of all enabled nodes: kinds, versions, parameters and credentials. */
export function nodeErrors(definition: WorkflowDefinition, kinds: KindTable): DefinitionError[] {
  return definition.nodes.flatMap((node) => (node.disabled === true ? [] : checkNode(node, kinds)));
}

function checkNode(node: NodeDefinition, kinds: KindTable): DefinitionError[] {
  const descriptor = descriptorAmong(node, kinds);
  if (descriptor === undefined) return [unknownKind(node, kinds)];
  if (descriptor.neverRuns === true) return [];
  const version = versionOf(node, descriptor);
  if (!descriptor.versions.includes(version)) {
    const known = descriptor.versions.join(', ');
    return [
      {
        node: node.name,
        field: 'typeVersion',
        message: `Node "${node.name}": version ${version} of ${descriptor.kind} is not supported. Supported: ${known}.`,
      },
    ];
  }
  return checkParameters(node, descriptor);
}

function unknownKind(node: NodeDefinition, kinds: KindTable): DefinitionError {
  const fault = isRefused(node.type)
    ? `Node "${node.name}": ${kindOf(node.type) ?? node.type} is not supported.`
    : `Node "${node.name}" has the unknown type "${node.type.slice(0, 200)}".`;
  const message = `${fault} ${insteadOf(node.type, kinds.keys())}`;
  return { node: node.name, field: 'type', message };
}
