import type { HandBackEntry, RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { HandBack, HandBackExecution } from '../domain/hand-back-execution';
import { MAX_RELEASE_DELAY_MS } from '../domain/limits';
import type { AnswerEntries } from './answer-entries';
import { sentNodeRuns } from './node-run-message';

const handBackOf = ({ nodeRuns, delayMs = 0, ...entry }: HandBackEntry): HandBack => ({
  ...entry,
  nodeRuns: sentNodeRuns(nodeRuns),
  delayMs: Math.min(delayMs, MAX_RELEASE_DELAY_MS),
});

/** HandBack: entry by entry. */
export const handBackHandler =
  (handBack: HandBackExecution, answerEntries: AnswerEntries): Handlers<typeof RunnerServiceService>['handBack'] =>
  ({ entries }) =>
    answerEntries(entries, (entry) => handBack(handBackOf(entry)));
