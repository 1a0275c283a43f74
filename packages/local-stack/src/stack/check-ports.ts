import { StackError } from '../errors';
import type { Environment } from '../places';
import { isPortFree } from '../processes/free-port';
import { FIXED_PORTS, SERVICES, forEachService } from './services';
import type { ServiceName } from './services';

/**
 * The port of each service: fixed, or from its variable. Throws a sentence that names a variable with no port in
 * it.
 */
export function readPorts(environment: Environment): Record<ServiceName, number> {
  return forEachService((service) => {
    const { port, variable } = FIXED_PORTS[service];
    const text = environment[variable];
    if (!text) return port;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= 65_535) return value;
    throw new StackError(`${variable} is "${text}"; it must be a port, a whole number from 1 to 65535.`);
  });
}

/**
 * Throws a sentence that names the port and the variable that changes it if any of the ports is taken or named twice.
 */
export async function checkPorts(ports: Readonly<Record<ServiceName, number>>): Promise<void> {
  const seen = new Map<number, ServiceName>();
  for (const service of SERVICES) {
    const port = ports[service];
    const { variable } = FIXED_PORTS[service];
    const other = seen.get(port);
    if (other !== undefined)
      throw new StackError(`Port ${port} is meant for ${service} and for ${other}; set ${variable} to another one.`);
    seen.set(port, service);
    if (!(await isPortFree(port)))
      throw new StackError(
        `Port ${port}, on which ${service} is to listen, is taken. Set ${variable} to a free one, or stop ` +
          'what listens there.',
      );
  }
}
