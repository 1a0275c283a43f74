import {
  auditFields,
  basicAuthField,
  defineConfig,
  identityFields,
  integer,
  list,
  mongoFields,
  processFields,
  runnerTargetField,
  target,
  text,
  type ConfigField,
  type ConfigValues,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';
import { credentialFilesErrors } from './credential-files-folder';
import { masterKeyErrors, readMasterKey, type MasterKey, type MasterKeys } from './domain/master-keys';
import { PASSWORD_COST_LOG2 } from './domain/users/password';

const MASTER_KEY_FORM = '<key id>:<32 random bytes in base64>';

const masterKey: ConfigField<MasterKey> = {
  env: 'MASTER_KEY',
  type: MASTER_KEY_FORM,
  doc:
    'Key under which credentials are sealed and API keys are hashed. Keep a copy: without it no credential can ' +
    'be decrypted.',
  secret: true,
  live: true,
  read: readMasterKey,
};

const masterKeyPrevious: ConfigField<MasterKey | null> = {
  env: 'MASTER_KEY_PREVIOUS',
  type: MASTER_KEY_FORM,
  doc: 'Previous master key; set it while keys are rotated.',
  default: null,
  secret: true,
  live: true,
  read: readMasterKey,
};

/** Default name of the database. */
export const DATABASE = 'weft_credentials';

export const table = {
  ...processFields(7003, 9103),
  ...identityFields(),
  ...mongoFields(DATABASE),
  executionsTarget: target('executions'),
  workflowsTarget: target('workflows'),
  runnerTarget: runnerTargetField(),
  masterKey,
  masterKeyPrevious,
  rateLimitPerMinute: integer({
    env: 'RATE_LIMIT_PER_MINUTE',
    min: 0,
    max: 1_000_000,
    default: 100,
    doc: 'Request limit of an API key per minute, over all replicas; 0: no limit.',
  }),
  basicAuth: basicAuthField(),
  extraCredentialTypes: list({
    env: 'EXTRA_CREDENTIAL_TYPES',
    default: [],
    doc:
      'Credential types in addition to the known ones, separated by commas, whose data is any object; *: every type. ' +
      'No node kind uses them; they can be stored for workflows that come from elsewhere.',
  }),
  credentialFilesDir: text({
    env: 'CREDENTIAL_FILES_DIR',
    default: '',
    doc:
      'Absolute path of a folder whose files the secret fields of credentials can name in place of a value; unset: ' +
      'none can. Users who may write credentials can send every file in it to any host.',
  }),
  passwordCost: integer({
    env: 'PASSWORD_COST',
    min: 1,
    max: PASSWORD_COST_LOG2,
    default: PASSWORD_COST_LOG2,
    internal: true,
    doc: 'Logarithm of the cost of hashing a new password. Tests lower it; NODE_ENV=production refuses that.',
  }),
  ...auditFields(),
  ownerEmail: text({
    env: 'WEFT_OWNER_EMAIL',
    default: '',
    doc:
      'Email of the first owner, created at start if there is no owner yet; unset: the owner is created on the ' +
      'page /console/, with the set-up code from the log of this service.',
  }),
  ownerPassword: text({
    env: 'WEFT_OWNER_PASSWORD',
    default: '',
    secret: true,
    doc: 'Password of the first owner, 12 to 200 characters; used only when the owner is created.',
  }),
  ownerApiKey: text({
    env: 'WEFT_OWNER_API_KEY',
    default: '',
    secret: true,
    doc: 'API key of the owner, in the format of all keys. A changed value replaces the key of the previous one.',
  }),
};

const keysOf = ({ masterKey: current, masterKeyPrevious: previous }: ConfigValues<typeof table>): MasterKeys => ({
  current,
  previous: previous ?? undefined,
});

export const config = defineConfig(table, (values, former, environment) => [
  ...masterKeyErrors(keysOf(values), former === undefined ? undefined : keysOf(former)),
  ...credentialFilesErrors(values.credentialFilesDir, environment),
  ...(values.passwordCost < PASSWORD_COST_LOG2 && environment['NODE_ENV'] === 'production'
    ? ['PASSWORD_COST is a setting of tests; unset it in production.']
    : []),
  ...tlsErrors(values, former, environment),
]);

export type Config = ReturnType<typeof config.load>;
