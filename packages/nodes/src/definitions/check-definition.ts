import {
  checkParameters,
  MAX_FIELD_ERRORS,
  concurrencyErrors,
  type DefinitionError,
  type KindDescriptor,
  type NodeDefinition,
  type WorkflowDefinition,
  kindOf,
  parameterWarnings,
  versionOf,
  scheduleErrors,
} from '@weft/node-catalogue';
import { linkErrors, linkWarnings } from './check-links';
import { formErrors } from './form-settings';
import { describeKind } from '../descriptors/kinds';
import { routeErrors } from './routes';
import { insteadOf, isRefused } from './unknown-kinds';

/**
 * Errors that prevent a stored workflow from being activated or started: unknown or unsupported node kinds, versions
 * and options, missing values, invalid webhook paths and schedules, links with misspelt names. Disabled nodes and notes
 * are skipped.
 * @returns at most `MAX_FIELD_ERRORS` errors, in the order of the nodes; empty if the definition is valid
 * @param among names of the nodes to check; all by default
 */
export function checkDefinition(definition: WorkflowDefinition, among?: ReadonlySet<string>): DefinitionError[] {
  const counts = ({ node }: DefinitionError): boolean => among === undefined || node === undefined || among.has(node);
  return [
    ...checkSettings(definition),
    ...concurrencyErrors(definition),
    ...definition.nodes.flatMap((node) => (node.disabled === true ? [] : checkNode(node))),
    ...routeErrors(definition),
    ...formErrors(definition),
    ...scheduleErrors(definition),
    ...linkErrors(definition, among),
  ]
    .filter(counts)
    .slice(0, MAX_FIELD_ERRORS);
}

function checkSettings({ settings }: WorkflowDefinition): DefinitionError[] {
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

/**
 * Warnings about a workflow that can run: links that are never followed, options that a kind does not have, versions
 * that count as another one. Disabled nodes and notes are skipped.
 * @returns at most `MAX_FIELD_ERRORS` warnings
 */
export function definitionWarnings(definition: WorkflowDefinition): DefinitionError[] {
  return [
    ...definition.nodes.flatMap((node) => (node.disabled === true ? [] : nodeWarnings(node))),
    ...linkWarnings(definition),
  ].slice(0, MAX_FIELD_ERRORS);
}

function nodeWarnings(node: NodeDefinition): DefinitionError[] {
  const descriptor = descriptorOf(node);
  if (descriptor === undefined || descriptor.neverRuns === true) return [];
  const version = versionOf(node, descriptor);
  const { typeVersion = version } = node;
  const warnings = parameterWarnings(node, descriptor);
  if (typeVersion === version) return warnings;
  const message =
    `Node "${node.name}": ${descriptor.kind} has no version ${typeVersion}; it runs as version ${version}. ` +
    `Supported: ${descriptor.versions.join(', ')}.`;
  return [{ node: node.name, field: 'typeVersion', message }, ...warnings];
}

/** The descriptor of a node's kind; undefined for an unknown kind. */
export function descriptorOf({ type }: Pick<NodeDefinition, 'type'>): KindDescriptor | undefined {
  const kind = kindOf(type);
  return kind === undefined ? undefined : describeKind(kind);
}

function checkNode(node: NodeDefinition): DefinitionError[] {
  const descriptor = descriptorOf(node);
  if (descriptor === undefined) return [unknownKind(node)];
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

function unknownKind(node: NodeDefinition): DefinitionError {
  const fault = isRefused(node.type)
    ? `Node "${node.name}": ${kindOf(node.type) ?? node.type} is not supported.`
    : `Node "${node.name}" has the unknown type "${node.type.slice(0, 200)}".`;
  const message = `${fault} ${insteadOf(node.type)}`;
  return { node: node.name, field: 'type', message };
}
