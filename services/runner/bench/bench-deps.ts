import type { NodeExecutor, NodePorts, NodeRegistry, RunDeps } from '@weft/engine';
import { memoryDataTables, memoryFileArea, memoryFiles } from '@weft/engine/testing';
import { NODE_REGISTRY } from '@weft/nodes/executors';
import type { CodeRunner } from '@weft/sandbox';

const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this measurement.'));

/**
 * Real kinds and a real sandbox, without a store and without peers.
 * @param extra kinds of the measurement itself, or replacements of real ones
 */
export const benchDeps = (code: CodeRunner, extra: readonly NodeExecutor[] = []): RunDeps => ({
  registry: new Map([
    ...NODE_REGISTRY,
    ...extra.map((executor) => [executor.kind, executor] as const),
  ]) satisfies NodeRegistry,
  ports: benchPorts(code),
  defaultTimezone: 'UTC',
  vars: {},
  env: {},
  nodeRunsMax: 10_000,
});

const benchPorts = (code: CodeRunner): NodePorts => ({
  http: { request: refuse },
  streams: { stream: refuse },
  mail: { send: refuse },
  databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
  remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
  credentials: { use: refuse },
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  files: memoryFiles(),
  code,
  formats: { run: refuse },
  persistentState: { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
  dataTables: memoryDataTables([]),
  fileArea: memoryFileArea(),
  instance: { isHere: refuse, call: refuse },
  startChild: refuse,
  respond: () => Promise.resolve(true),
});
