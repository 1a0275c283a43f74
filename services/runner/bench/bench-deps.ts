import type { NodeExecutor, NodeRegistry } from '../src/domain/engine/node';
import type { NodePorts } from '../src/domain/engine/ports';
import type { RunDeps } from '../src/domain/engine/run-request';
import { memoryDataTables } from '../src/domain/nodes/testing/memory-data-tables';
import { memoryFiles } from '../src/domain/nodes/testing/memory-files';
import { NODE_REGISTRY } from '../src/domain/nodes/registry';
import type { CodeRunner } from '../src/domain/ports/code-runner';

const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this measurement.'));

/**
 * Real kinds and a real sandbox, without a store and without peers.
 * @param extra kinds of the measurement itself, or in place of real ones
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
  mail: { send: refuse },
  credentials: { use: refuse },
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  files: memoryFiles(),
  code,
  kept: { read: refuse, write: refuse, inTurn: refuse },
  dataTables: memoryDataTables([]),
  startChild: refuse,
  respond: () => Promise.resolve(true),
});
