import {
  MAX_FIELD_ERRORS,
  concurrencyErrors,
  type DefinitionError,
  descriptorAmong,
  type KindTable,
  modelSettingsErrors,
  type NodeDefinition,
  type WorkflowDefinition,
  parameterWarnings,
  versionOf,
  scheduleErrors,
} from '@weft/node-catalogue';
import { kindsIn } from '../descriptors/kinds-in';
import { nodeErrors, settingErrors } from './check-against-kinds';
import { attachmentErrors } from './check-attachments';
import { linkErrors, linkWarnings } from './check-links';
import { formErrors } from './form-settings';
import { routeErrors } from './routes';
import { storeWarnings } from './store-warnings';

/**
 * Errors that prevent a stored workflow from being activated or started: unknown or unsupported node kinds, versions
 * and options, missing values, invalid webhook paths and schedules, links with misspelt names. Disabled nodes and notes
 * are skipped.
 * @returns at most `MAX_FIELD_ERRORS` errors, in the order of the nodes; empty if the definition is valid
 * @param among names of the nodes to check; all by default
 */
export function checkDefinition(definition: WorkflowDefinition, among?: ReadonlySet<string>): DefinitionError[] {
  const kinds = kindsIn(definition);
  const counts = ({ node }: DefinitionError): boolean => among === undefined || node === undefined || among.has(node);
  return [
    ...settingErrors(definition),
    ...concurrencyErrors(definition),
    ...modelSettingsErrors(definition),
    ...nodeErrors(definition, kinds),
    ...routeErrors(definition),
    ...formErrors(definition),
    ...scheduleErrors(definition),
    ...attachmentErrors(definition, kinds),
    ...linkErrors(definition, kinds, among),
  ]
    .filter(counts)
    .slice(0, MAX_FIELD_ERRORS);
}

/**
 * Warnings about a workflow that can run: links that are never followed, options that a kind does not have, versions
 * that count as another one, vector stores that stay empty. Disabled nodes and notes are skipped.
 * @returns at most `MAX_FIELD_ERRORS` warnings
 */
export function definitionWarnings(definition: WorkflowDefinition): DefinitionError[] {
  const kinds = kindsIn(definition);
  return [
    ...definition.nodes.flatMap((node) => (node.disabled === true ? [] : nodeWarnings(node, kinds))),
    ...linkWarnings(definition, kinds),
    ...storeWarnings(definition),
  ].slice(0, MAX_FIELD_ERRORS);
}

function nodeWarnings(node: NodeDefinition, kinds: KindTable): DefinitionError[] {
  const descriptor = descriptorAmong(node, kinds);
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
