import type { Args, Execution } from '@weft/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/overlays/toast';
import type { NodeRunRow } from './run-model';

export type RetryOptions = NonNullable<Args<'retryExecution'>['body']>;

const RetryDialog = lazy(() => import('./retry-dialog').then((module) => ({ default: module.RetryDialog })));

/** Starts a retry and opens it. */
export const useRetry = ({ id }: Pick<Execution, 'id'>) => {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (options: RetryOptions) =>
      (
        await weft.call('retryExecution', {
          path: { id },
          body: options,
          headers: onceOnly(),
        })
      ).data,
    onSuccess: async ({ executionId }) => {
      notify('The retry has started');
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
      await navigate({ to: '/executions/$id', params: { id: executionId }, search: {} });
    },
    onError: (error) => notify('Could not retry', 'error', error.message),
  });
};

/** A button that asks how to run an ended execution again: from where, which version, with which input. */
export const RetryButton = ({
  execution,
  rows,
  label,
  className,
}: {
  execution: Execution;
  /** Its node runs. */
  rows: readonly NodeRunRow[];
  label: string;
  className: string;
}) => {
  const [isAsked, ask] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => ask(true)}>
        <Icon name="retry" size={className.includes('sm') ? 12 : 16} />
        {label}
      </button>
      <Suspense>{isAsked && <RetryDialog execution={execution} rows={rows} close={() => ask(false)} />}</Suspense>
    </>
  );
};
