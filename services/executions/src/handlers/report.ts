import { EndState, type ReportEntry, type RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Report, ReportExecution } from '../domain/report-executions';
import type { Failure } from '../domain/execution';
import { sentNodeRuns } from './node-run-message';
import { sentAnswer } from './respond';
import { checkLength, verdictMessage } from './verdict-message';

const UNNAMED: Failure = { reason: 'NODE_ERROR', message: 'The run failed without saying why.', node: '', errorJson: '' };

const failureOf = ({ endState, failure }: ReportEntry): { failure?: Failure } => {
  if (endState === EndState.END_STATE_SUCCESS) return {};
  if (endState === EndState.END_STATE_ERROR) return { failure: failure ?? UNNAMED };
  throw new InvalidRequest('A report has no end state.', [{ field: 'entries.endState', description: 'Say SUCCESS or ERROR.' }]);
};

const reportOf = (entry: ReportEntry): Report => ({
  executionId: entry.executionId,
  fence: entry.fence,
  checkpoint: entry.checkpoint,
  nodeRuns: sentNodeRuns(entry.nodeRuns),
  lastNode: entry.lastNode,
  customDataJson: entry.customDataJson,
  ...failureOf(entry),
  ...(entry.engineState === undefined || entry.engineState.length === 0 ? {} : { engineState: entry.engineState, engineStateRuns: entry.engineStateRuns ?? 0 }),
  ...(entry.answer === undefined ? {} : { answer: sentAnswer(entry.answer) }),
});

/** Report. */
export const reportHandler =
  (report: ReportExecution): Handlers<typeof RunnerServiceService>['report'] =>
  async ({ entries }) => {
    checkLength(entries, 'entries');
    const verdicts = await Promise.all(entries.map(reportOf).map(report));
    return { verdicts: verdicts.map(verdictMessage) };
  };
