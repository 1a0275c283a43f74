import {
  MAX_FIELD_ERRORS,
  concurrencyErrors,
  type DefinitionError,
  descriptorAmong,
  type KindDescriptor,
  type NodeDefinition,
  type WorkflowDefinition,
  parameterWarnings,
  versionOf,
  scheduleErrors,
} from '@weft/node-catalogue';
import { KIND_TABLE } from '../descriptors/kinds';
import { nodeErrors, settingErrors } from './check-against-kinds';
import { linkErrors, linkWarnings } from './check-links';
import { formErrors } from './form-settings';
import { routeErrors } from './routes';

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
    ...settingErrors(definition),
    ...concurrencyErrors(definition),
    ...nodeErrors(definition, KIND_TABLE),
    ...routeErrors(definition),
    ...formErrors(definition),
    ...scheduleErrors(definition),
    ...linkErrors(definition, KIND_TABLE, among),
  ]
    .filter(counts)
    .slice(0, MAX_FIELD_ERRORS);
}

/**
 * Warnings about a workflow that can run: links that are never followed, options that a kind does not have, versions
 * that count as another one. Disabled nodes and notes are skipped.
 * @returns at most `MAX_FIELD_ERRORS` warnings
 */
export function definitionWarnings(definition: WorkflowDefinition): DefinitionError[] {
  return [
    ...definition.nodes.flatMap((node) => (node.disabled === true ? [] : nodeWarnings(node))),
    ...linkWarnings(definition, KIND_TABLE),
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
export function descriptorOf(node: Pick<NodeDefinition, 'type'>): KindDescriptor | undefined {
  return descriptorAmong(node, KIND_TABLE);
}
