import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '../src/stack/services';
import type { ServiceName } from '../src/stack/services';

/** Programs that stand in for the five services. */
export const STAND_INS: Record<ServiceName, string> = {
  credentials: join(__dirname, 'stand-in-grpc.js'),
  workflows: join(__dirname, 'stand-in-grpc.js'),
  executions: join(__dirname, 'stand-in-grpc.js'),
  runner: join(__dirname, 'stand-in-grpc.js'),
  gateway: join(__dirname, 'stand-in-gateway.js'),
};

/** The environment a stand-in was given, according to its log. */
export function environmentIn(logFile: string): Record<string, string> {
  const [first = ''] = readFileSync(logFile, 'utf8').split('\n');
  return JSON.parse(first).environment;
}

/** The options of Node that a stand-in was started with, according to its log. */
export function nodeArgsIn(logFile: string): string[] {
  const [first = ''] = readFileSync(logFile, 'utf8').split('\n');
  return JSON.parse(first).nodeArgs;
}

/** The services in the order in which their stand-ins were asked to end, by their logs. */
export function stopOrder(logs: string): ServiceName[] {
  const endedAt = (service: ServiceName): bigint =>
    BigInt(/"endedAt":"(\d+)"/.exec(readFileSync(join(logs, `${service}.log`), 'utf8'))?.[1] ?? 0);
  return [...SERVICES].sort((one, other) => (endedAt(one) < endedAt(other) ? -1 : 1));
}
