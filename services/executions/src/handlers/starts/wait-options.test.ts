import { StartWait } from '@weft/proto/executions';
import { withContext } from '@weft/service-kit/context';
import { waitOptionsOf } from './wait-options';

const NOW = 5_000_000;
const { signal } = new AbortController();

describe('the time a call waits for a run', () => {
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockReturnValue(NOW);
  });
  afterEach(() => jest.restoreAllMocks());
  /** In a call with this deadline. */
  const limitOf = (waitMs: number, deadlineMs: number): number | undefined =>
    withContext(
      { requestId: 'r', deadline: NOW + deadlineMs },
      () => waitOptionsOf(StartWait.START_WAIT_END, waitMs, () => signal)?.limitMs,
    );

  it('is the one the caller requests, 25 s by default', () => {
    expect([limitOf(1_500, 60_000), limitOf(0, 60_000)]).toEqual([1_500, 25_000]);
  });

  it('ends before the deadline of the caller, so that "not yet" still reaches it', () => {
    expect([limitOf(10_000, 5_000), limitOf(0, 1_000), limitOf(5_000, 100)]).toEqual([4_700, 700, 0]);
  });

  it('is zero for a call that does not ask to wait', () => {
    expect(waitOptionsOf(StartWait.START_WAIT_UNSPECIFIED, 5_000, () => signal)).toBeUndefined();
  });
});
