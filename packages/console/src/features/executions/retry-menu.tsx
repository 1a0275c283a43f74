import type { Args, Execution } from '@weft/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Icon } from '../../ui/icon';
import { MenuButton } from '../../ui/overlays/menu';
import { notify } from '../../ui/overlays/toast';

const RetryWithInput = lazy(() => import('./retry-with-input').then((module) => ({ default: module.RetryWithInput })));

type RetryOptions = NonNullable<Args<'retryExecution'>['body']>;

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

const CHOICES: readonly { readonly label: string; readonly options: RetryOptions }[] = [
  { label: 'From the failed node, the version that ran', options: { from: 'failedNode', version: 'original' } },
  { label: 'From the failed node, the current version', options: { from: 'failedNode', version: 'current' } },
  { label: 'From the start, the version that ran', options: { from: 'start', version: 'original' } },
  { label: 'From the start, the current version', options: { from: 'start', version: 'current' } },
];

/** The main button retries where it failed; the menu has the other ways. */
export const RetryMenu = ({ execution, hasFailed }: { execution: Execution; hasFailed: boolean }) => {
  const retry = useRetry(execution);
  const [isAsking, ask] = useState(false);
  return (
    <span className="split">
      <button
        type="button"
        className="btn primary"
        disabled={retry.isPending}
        onClick={() => retry.mutate({ from: hasFailed ? 'failedNode' : 'start' })}
      >
        <Icon name="retry" />
        {hasFailed ? 'Retry' : 'Run again'}
      </button>
      <MenuButton
        label="Retry with options"
        className="btn primary"
        entries={[
          ...CHOICES.filter(({ options: { from } }) => hasFailed || from === 'start').map(({ label, options }) => ({
            label,
            act: () => retry.mutate(options),
          })),
          { label: 'From the start, with other items …', act: () => ask(true) },
        ]}
      >
        <Icon name="down" size={12} />
      </MenuButton>
      <Suspense>
        {isAsking && (
          <RetryWithInput
            execution={execution}
            close={() => ask(false)}
            start={(input) => retry.mutateAsync({ from: 'start', input: [...input] })}
          />
        )}
      </Suspense>
    </span>
  );
};
