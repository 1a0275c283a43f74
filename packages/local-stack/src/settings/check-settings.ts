import { StackError } from '../errors';
import { findPlaces, type Environment } from '../places';
import { portErrors } from '../stack/check-ports';
import { newSecrets, withOwner } from '../stack/secrets';
import { serviceEnvironment } from '../stack/service-environment';
import { FIXED_PORTS, forEachService } from '../stack/services';
import { loadServiceConfigs } from './service-configs';

const isConfigErrors = (error: unknown): error is { readonly errors: readonly string[] } =>
  typeof error === 'object' && error !== null && 'errors' in error && Array.isArray(error.errors);

const serviceErrors = (environment: Environment): readonly string[] => {
  const facts = {
    secrets: withOwner(newSecrets(), environment),
    // The real addresses are known once the servers run.
    mongodbUri: environment['MONGODB_URI'] || 'mongodb://127.0.0.1',
    natsUrl: environment['NATS_URL'] || 'nats://127.0.0.1',
    namespace: 'weft',
    targets: forEachService((service) => `ipv4:127.0.0.1:${FIXED_PORTS[service].port}`),
    environment,
  };
  return loadServiceConfigs(findPlaces(environment).checkout).flatMap(([service, config]) => {
    try {
      config.load(serviceEnvironment(service, FIXED_PORTS[service].port, facts));
      return [];
    } catch (error) {
      if (isConfigErrors(error)) return error.errors;
      throw error;
    }
  });
};

/**
 * Checks the settings of the stack and of all services before anything starts.
 * @throws StackError with a sentence for each invalid one
 */
export const checkSettings = (environment: Environment): void => {
  const errors = [...new Set([...portErrors(environment), ...serviceErrors(environment)])];
  if (errors.length === 0) return;
  const head = errors.length === 1 ? 'One setting is invalid:' : `${errors.length} settings are invalid:`;
  const lines = errors.map((error) => `  - ${error}`);
  throw new StackError([head, ...lines, 'docs/configuration.md lists all settings.'].join('\n'));
};
