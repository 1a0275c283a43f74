import type { ReleaseEntry, RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Release, ReleaseExecution } from '../domain/release-execution';
import { MAX_RELEASE_DELAY_MS } from '../domain/limits';
import type { ProcessEntries } from './process-entries';
import { fromNodeRunMessages } from './node-run-message';

const fromReleaseEntry = ({ nodeRuns, delayMs = 0, ...entry }: ReleaseEntry): Release => ({
  ...entry,
  nodeRuns: fromNodeRunMessages(nodeRuns),
  delayMs: Math.min(delayMs, MAX_RELEASE_DELAY_MS),
});

/** Release: entry by entry. */
export const releaseHandler =
  (release: ReleaseExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['release'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => release(fromReleaseEntry(entry)));
