import { createResumeTokens, type PreparedWorkflow, type RunDeps } from '@weft/engine';
import type { RegexFallback } from '@weft/expressions';
import { NODE_REGISTRY } from '@weft/nodes/executors';
import { allowsUrl, parseAllowList } from '@weft/outbound';
import { KeyedMutex } from '@weft/service-kit/batching';
import { pickVariables } from '@weft/service-kit/config';
import { LIMITS } from '@weft/service-kit/limits';
import type { Config } from './config';
import { behindBarrier, type Barrier } from './domain/end/barrier';
import type { ClaimedExecution } from './domain/claims/claimed-execution';
import type { InProcessWaits } from './domain/run/in-process-waits';
import type { MemoryBudget } from './domain/memory/memory-budget';
import type { Reach } from './domain/claims/shares/reach';
import type { RunEnvironment } from './domain/run/environment';
import { createModelPorts } from './models/model-ports';
import { traceNodes } from './observing/run-spans';
import { type PortParts, RunPortsOnUse } from './run-ports';

/** Dependencies that the process provides to runs. */
export interface RunEnvironmentParts extends Omit<PortParts, 'isTraceTold' | 'turns'> {
  readonly regexFallback: RegexFallback;
  readonly config: Config;
  readonly clock: () => number;
  readonly isDraining: () => boolean;
  readonly inProcessWaits: InProcessWaits;
  readonly memory: MemoryBudget;
  readonly releaseAfterMs: number;
  readonly openThread: RunEnvironment['openThread'];
  readonly onNodeRun: NonNullable<RunEnvironment['onNodeRun']>;
}

/** Whether a workflow uses `$vars`; determined once for each cached version. */
const NAMES_VARIABLES = new WeakMap<PreparedWorkflow, boolean>();

const namesVariables = (workflow: PreparedWorkflow): boolean => {
  const known = NAMES_VARIABLES.get(workflow) ?? JSON.stringify(workflow.definition).includes('$vars');
  NAMES_VARIABLES.set(workflow, known);
  return known;
};

type ReadVariables = (
  claimed: ClaimedExecution,
  reach: Reach,
  barrier: Barrier,
) => Promise<Readonly<Record<string, string>>>;

const measured = (aroundNode: RunDeps['aroundNode']): Pick<RunDeps, 'aroundNode'> =>
  aroundNode === undefined ? {} : { aroundNode };

/** Dependencies of every run of this process. */
export const createRunEnvironment = (parts: RunEnvironmentParts): RunEnvironment => {
  const { store, workflows, regexFallback, config, clock, isDraining, inProcessWaits, memory, openThread, onNodeRun } =
    parts;
  const resumeToken = createResumeTokens(config.serviceKey);
  const variables = pickVariables(config.expressionEnvAllow);
  const traceHosts = parseAllowList(config.outboundTraceHosts, 'OUTBOUND_TRACE_HOSTS');
  const isTraceTold = (url: URL): boolean => allowsUrl(traceHosts, url);
  /** Workflows returns them for a claim that it can verify. */
  const readVariables: ReadVariables = async (claimed, reach, barrier) => {
    await barrier();
    return reach(() => workflows.readVariables(claimed));
  };
  const modelPorts = createModelPorts(config, store);
  const portsOfProcess = { ...parts, isTraceTold, turns: new KeyedMutex() };
  return {
    store,
    clock,
    isDraining,
    memory,
    openThread,
    inProcessWaits,
    onNodeRun,
    releaseAfterMs: parts.releaseAfterMs,
    deps: async (claimed, workflow, runPorts, ways) => ({
      registry: NODE_REGISTRY,
      defaultTimezone: config.defaultTimezone,
      vars: namesVariables(workflow) ? await readVariables(claimed, ways.reach, ways.barrier) : {},
      env: variables,
      regexFallback,
      // Nodes use it only for addresses at which the run waits.
      publicUrl: config.webhookHost === '' ? config.publicUrl : config.webhookHost,
      resumeToken,
      nodeRunsMax: LIMITS.nodeRuns.max,
      models: modelPorts(claimed, ways),
      ...measured(traceNodes(config.traceModelContent)),
      ports: behindBarrier(new RunPortsOnUse(portsOfProcess, claimed, runPorts, ways), ways),
    }),
  };
};
