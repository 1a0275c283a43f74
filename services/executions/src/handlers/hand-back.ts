import type { RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { HandBackExecution } from '../domain/hand-back-execution';
import { sentNodeRuns } from './node-run-message';
import { checkLength, verdictMessage } from './verdict-message';

/** HandBack. */
export const handBackHandler =
  (handBack: HandBackExecution): Handlers<typeof RunnerServiceService>['handBack'] =>
  async ({ entries }) => {
    checkLength(entries, 'entries');
    const steps = entries.map(({ nodeRuns, ...entry }) => ({ ...entry, nodeRuns: sentNodeRuns(nodeRuns) }));
    const verdicts = await Promise.all(steps.map(handBack));
    return { verdicts: verdicts.map(verdictMessage) };
  };
