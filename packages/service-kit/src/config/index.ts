export {
  ConfigErrors,
  defineConfig,
  pickVariables,
  type ConfigField,
  type ConfigReader,
  type ConfigTable,
  type ConfigValues,
  type Environment,
} from './config-table';
export { flag, integer, list, oneOf, port, text, timeZone, url } from './fields';
export {
  auditFields,
  identityFields,
  LOG_LEVELS,
  mongoFields,
  natsFields,
  processFields,
  target,
} from './common-fields';
