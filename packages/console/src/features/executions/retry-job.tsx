import type { Args } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { weft } from '../../api/client';
import { queryClient, retryJobQuery } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Modal } from '../../ui/overlays/dialog';
import { formatCount, plural } from '../../ui/values/format';
import { Failure, Loading } from '../../ui/states';

export type RetryFilter = Args<'retryExecutions'>['body']['filter'];

const countOf = (data: object): number => ('matched' in data && typeof data.matched === 'number' ? data.matched : 0);

const Progress = ({ jobId, close }: { jobId: string; close: () => void }) => {
  const { data: job, error } = useQuery(retryJobQuery(jobId));
  useEffect(() => {
    if (job !== undefined && job.state !== 'running') void queryClient.invalidateQueries({ queryKey: ['executions'] });
  }, [job]);
  if (job === undefined) return error === null ? <Loading rows={2} /> : <Failure error={error} />;
  const done = job.retried + job.refused + job.skipped;
  return (
    <>
      <div className="dbody" role="status">
        <progress max={Math.max(1, job.matched)} value={done} aria-label="Retried executions" />
        <p className="num">
          {formatCount(done)} of {formatCount(job.matched)}: {formatCount(job.retried)} retried,{' '}
          {formatCount(job.refused)} refused, {formatCount(job.skipped)} skipped
          {job.state === 'running' ? '' : job.state === 'done' ? '. Done.' : '. Cancelled.'}
        </p>
        {job.refusals.length > 0 && (
          <ul className="refusals">
            {job.refusals.slice(0, 5).map(({ executionId, message }) => (
              <li key={executionId}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="dfoot">
        {job.state === 'running' && (
          <button
            type="button"
            className="btn"
            onClick={() => void weft.call('cancelRetryJob', { path: { id: jobId } }).catch(() => undefined)}
          >
            Stop
          </button>
        )}
        <button type="button" className="btn primary" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
};

/** Counts the executions of a filter, and retries all of them in the background. */
export const RetryAll = ({ filter, close }: { filter: RetryFilter; close: () => void }) => {
  const [version, setVersion] = useState<'original' | 'current'>('original');
  const [jobId, setJobId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const count = useQuery({
    queryKey: ['retry-count', filter],
    gcTime: 0,
    queryFn: async () => countOf((await weft.call('retryExecutions', { body: { filter, dryRun: true } })).data),
  });
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await weft.call('retryExecutions', {
        body: { filter, version },
        headers: onceOnly(),
      });
      if ('id' in data) setJobId(data.id);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title="Retry all matching executions" close={close}>
      {jobId !== undefined ? (
        <Progress jobId={jobId} close={close} />
      ) : (
        <>
          <div className="dbody">
            {count.isPending && <Loading rows={1} />}
            {count.data !== undefined && (
              <p>
                <b>{plural(count.data, 'execution')}</b> on all pages match the filter. Each one starts a new execution
                at its failed node; those with a newer successful retry are skipped.
              </p>
            )}
            <fieldset className="choices">
              <legend>Version</legend>
              <label>
                <input type="radio" checked={version === 'original'} onChange={() => setVersion('original')} />
                The version that ran
              </label>
              <label>
                <input type="radio" checked={version === 'current'} onChange={() => setVersion('current')} />
                The current version of each workflow
              </label>
            </fieldset>
          </div>
          {count.error !== null && <Failure error={count.error} />}
          {error !== undefined && <Failure error={error} />}
          <div className="dfoot">
            <button type="button" className="btn" onClick={close}>
              Close
            </button>
            <button
              type="button"
              className="btn primary"
              disabled={isBusy || count.data === undefined || count.data === 0}
              onClick={() => void start()}
            >
              Retry {count.data === undefined ? '' : formatCount(count.data)}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
};
