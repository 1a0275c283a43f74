import { EndState, type ReportEntry, type RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Report, ReportExecution } from '../domain/report-executions';
import type { ExecutionError } from '../domain/execution';
import type { ProcessEntries } from './process-entries';
import { fromNodeRunMessages } from './node-run-message';
import { checkedResponse } from './respond';

const UNNAMED: ExecutionError = {
  reason: 'NODE_ERROR',
  message: 'The run failed without saying why.',
  node: '',
  errorJson: '',
};

const errorOf = ({ endState, error }: ReportEntry): { error?: ExecutionError } => {
  if (endState === EndState.END_STATE_SUCCESS) return {};
  if (endState === EndState.END_STATE_ERROR) return { error: error ?? UNNAMED };
  throw new InvalidRequest('A report has no end state.', [
    { field: 'entries.endState', message: 'must be SUCCESS or ERROR' },
  ]);
};

const reportOf = (entry: ReportEntry): Report => ({
  executionId: entry.executionId,
  fence: entry.fence,
  checkpoint: entry.checkpoint,
  nodeRuns: fromNodeRunMessages(entry.nodeRuns),
  lastNode: entry.lastNode,
  customDataJson: entry.customDataJson,
  ...errorOf(entry),
  ...(entry.engineState === undefined || entry.engineState.length === 0
    ? {}
    : { engineState: entry.engineState, engineStateRuns: entry.engineStateRuns ?? 0 }),
  ...(entry.response === undefined ? {} : { response: checkedResponse(entry.response) }),
});

/** Report: entry by entry. */
export const reportHandler =
  (report: ReportExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['report'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => report(reportOf(entry)));
