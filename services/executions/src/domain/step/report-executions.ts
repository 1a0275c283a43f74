import type { HttpResponse } from '@weft/proto/executions';
import { storeResponse } from './respond-to-caller';
import type { ExecutionError } from '../state/execution';
import { boundedOrigins } from '../state/result-origins';
import { reportWrite, retentionOf } from '../state/run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { GetVersion } from '../state/version-cache';
import type { Snapshot, WriteOutcome } from '../state/write-outcome';

/** The end of one execution. */
export interface Report extends Step {
  /** Checkpoints stored before. */
  readonly checkpoint: number;
  /** Absent: success. */
  readonly error?: ExecutionError;
  readonly response?: HttpResponse;
  /** With an engine state: node runs, from the first, that it builds on. */
  readonly engineStateRuns?: number;
  /** For successful runs: the record is not needed. */
  readonly discard?: boolean;
  /** For sub-workflows that succeeded: as in `ExecutionRecord`. */
  readonly resultOrigins?: Buffer;
}

/** Ends an execution. @throws Unavailable */
export type ReportExecution = (report: Report) => Promise<WriteOutcome>;

/**
 * Node runs that the stored engine state of a failed run builds on: the state of the last checkpoint does not include
 * those reported with the end.
 */
const runsOfState = ({ engineState, engineStateRuns, nodeRuns }: Report): { engineStateRuns?: number } => {
  if (engineState !== undefined && engineStateRuns !== undefined) return { engineStateRuns };
  return nodeRuns.length === 0
    ? {}
    : { engineStateRuns: Math.min(...nodeRuns.map(({ executionIndex }) => executionIndex)) };
};

/**
 * The error of a run that would succeed although its last stored node run is a failure that ends it. That a runner
 * continues past such a failure is a fault of the runner; its outcome is what the failure says.
 */
const endingFailure = async (
  { nodeRuns, error }: Report,
  { failedRun, nodeRunCount, versionId }: Snapshot,
  getVersion: GetVersion,
): Promise<ExecutionError | undefined> => {
  if (error !== undefined || failedRun === undefined || failedRun.executionIndex + 1 !== nodeRunCount) return undefined;
  const { node } = failedRun;
  if (nodeRuns[0]?.node === node) return undefined;
  const version = await getVersion(versionId);
  if (version === undefined || version.facts.continuing.has(node)) return undefined;
  return {
    reason: 'NODE_ERROR',
    message: `The node "${node}" failed, and its failure ends the run.`,
    node,
    errorJson: '',
  };
};

/** Ends executions; a response made from the end counts only if none was stored before. */
export const createReportExecution =
  (ports: StepPorts): ReportExecution =>
  async (report) => {
    const { executionId, fence, checkpoint, error } = report;
    const resultOrigins = error === undefined ? boundedOrigins(report.resultOrigins) : undefined;
    const response =
      report.response === undefined
        ? undefined
        : await storeResponse(executionId, fence, report.response, ports.chunks);
    return storeStep(
      report,
      checkpoint,
      (progress, found) => {
        const end = {
          fence,
          checkpoint,
          ...(error === undefined ? {} : { error, ...runsOfState(report) }),
          ...(report.discard === true ? { discard: true } : {}),
          ...(resultOrigins === undefined ? {} : { resultOrigins }),
          ...(response === undefined || found?.hasResponse === true ? {} : { response }),
          ...(found?.failedRun === undefined ? {} : { pastFailure: found.failedRun.executionIndex }),
        };
        return reportWrite(
          end,
          progress,
          new Date(ports.clock()),
          found === undefined
            ? { ms: ports.retentionMs, isDefault: true }
            : { ms: retentionOf(found, ports.retentionMs), isDefault: false },
        );
      },
      ports,
      (found) => endingFailure(report, found, ports.getVersion),
    );
  };
