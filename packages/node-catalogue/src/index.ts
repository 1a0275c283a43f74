export { completeConnections, misspeltConnections } from './check-connections-shape';
export * from './check-parameters';
export * from './check-shape';
export * from './concurrency';
export * from './credential-types';
export * from './definition';
export * from './descriptor';
export * from './edit-distance';
export * from './event-key-rule';
export * from './form-fields';
export * from './kind-of';
export * from './parameters';
export * from './port-counts';
export * from './read-definition';
export * from './route-key';
export * from './schedule-policy';
export * from './schedule-rule';
export * from './schedules';
export {
  booleanField,
  field,
  isJsonObject,
  isTooDeep,
  listField,
  numberField,
  objectField,
  textField,
  type Json,
  type JsonObject,
} from '@weft/service-kit/json-values';
