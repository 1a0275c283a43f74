import type { ReleaseEntry, RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Release, ReleaseExecution } from '../domain/release-execution';
import { MAX_RELEASE_DELAY_MS } from '../domain/limits';
import type { AnswerEntries } from './answer-entries';
import { sentNodeRuns } from './node-run-message';

const releaseOf = ({ nodeRuns, delayMs = 0, ...entry }: ReleaseEntry): Release => ({
  ...entry,
  nodeRuns: sentNodeRuns(nodeRuns),
  delayMs: Math.min(delayMs, MAX_RELEASE_DELAY_MS),
});

/** Release: entry by entry. */
export const releaseHandler =
  (release: ReleaseExecution, answerEntries: AnswerEntries): Handlers<typeof RunnerServiceService>['release'] =>
  ({ entries }) =>
    answerEntries(entries, (entry) => release(releaseOf(entry)));
