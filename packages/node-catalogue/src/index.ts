export * from './check-definition';
export * from './check-shape';
export * from './definition';
export * from './descriptor';
export * from './form-fields';
export * from './form-settings';
export * from './kind-of';
export * from './kinds';
export { FILTER_OPERATIONS } from './kinds/filter-parameter';
export { REQUEST_SERVICES } from './kinds/request-services';
export * from './parameters';
export * from './reachable';
export * from './read-definition';
export * from './route-key';
export * from './routes';
export * from './concurrency';
export * from './schedule-policy';
export * from './schedule-rule';
export * from './schedules';
export * from './start-node';
export * from './webhook-settings';
export {
  booleanField,
  field,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
  type Json,
  type JsonObject,
} from '@weft/service-kit/json';
