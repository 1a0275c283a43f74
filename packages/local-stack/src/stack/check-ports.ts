import { StackError } from '../errors';
import type { Environment } from '../places';
import { isPortFree } from '../processes/free-port';
import { FIXED_PORTS, SERVICES, forEachService } from './services';
import type { ServiceName } from './services';

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** A sentence for each variable of a port without a port in it. */
export function portErrors(environment: Environment): string[] {
  return SERVICES.flatMap((service) => {
    const { variable } = FIXED_PORTS[service];
    const text = environment[variable];
    if (!text || isPort(text)) return [];
    return [`${variable} is "${text}"; it must be a port, a whole number from 1 to 65535.`];
  });
}

/** The port of each service: fixed, or from its variable. @throws StackError with {@link portErrors} */
export function readPorts(environment: Environment): Record<ServiceName, number> {
  const errors = portErrors(environment);
  if (errors.length > 0) throw new StackError(errors.join('\n'));
  return forEachService((service) => {
    const { port, variable } = FIXED_PORTS[service];
    return Number(environment[variable] || port);
  });
}

/** Checks that no port is taken or named twice. @throws StackError with a sentence for each, and the variable to set */
export async function checkPorts(ports: Readonly<Record<ServiceName, number>>): Promise<void> {
  const seen = new Map<number, ServiceName>();
  const errors: string[] = [];
  for (const service of SERVICES) {
    const port = ports[service];
    const { variable } = FIXED_PORTS[service];
    const other = seen.get(port);
    seen.set(port, service);
    if (other !== undefined)
      errors.push(`Port ${port} is meant for ${service} and for ${other}; set ${variable} to another one.`);
    else if (!(await isPortFree(port)))
      errors.push(
        `Port ${port}, on which ${service} is to listen, is taken. Set ${variable} to a free one, or stop ` +
          'what listens there.',
      );
  }
  if (errors.length > 0) throw new StackError(errors.join('\n'));
}
