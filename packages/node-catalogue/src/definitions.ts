/**
 * Definitions and descriptors without schedules, credential types and messages: what an editor needs, also in a
 * browser. Loads no built-in module of Node (a test of packages/expressions bundles it).
 */
export * from './attachment-types';
export * from './attachments';
export * from './checks/check-parameters';
export { checkShape, MAX_FIELD_ERRORS, MAX_NAME_LENGTH, MAX_NODES } from './checks/check-shape';
export { MAX_PORT_INDEX } from './checks/check-connections-shape';
export * from './definition';
export * from './descriptor';
export * from './checks/edit-distance';
export * from './checks/kind-of';
export { toolName } from './checks/tool-name';
export * from './parameters';
export { definitionForRuns, readDefinitionForRuns, withoutPinnedApps } from './pinned-apps';
export * from './port-counts';
export * from './read-definition';
export * from './run-plan/plan-run';
export { effectOf } from './run-plan/stale-nodes';
export { readKind } from './read-kind';
export * from './tool-variants';
export {
  booleanField,
  field,
  isEqualJson,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
  type Json,
  type JsonObject,
} from '@weft/service-kit/json-values';
