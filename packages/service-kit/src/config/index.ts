export {
  ConfigErrors,
  defineConfig,
  mayComeFromFile,
  pickVariables,
  withValues,
  type CheckTogether,
  type ConfigField,
  type ConfigReader,
  type ConfigTable,
  type ConfigValues,
  type Environment,
  type Rereading,
} from './config-table';
export { fileVariableOf } from './secret-files';
export { checked, flag, integer, list, oneOf, port, text, timeZone, url } from './fields';
export {
  auditFields,
  basicAuthField,
  identityFields,
  LOG_LEVELS,
  logLevelField,
  mongoFields,
  natsFields,
  processFields,
  publicUrlField,
  runnerTargetField,
  webhookHostField,
  target,
  timezoneField,
} from './common-fields';
