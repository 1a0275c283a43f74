import type { Execution, ExecutionProgress } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { weft } from '../../api/client';
import { queryClient, useMay, workflowSummaryQuery } from '../../api/queries';
import { CopyButton, copyText } from '../../ui/values/copy';
import { errorText, formatCount, formatDuration, shortId } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { MenuButton } from '../../ui/overlays/menu';
import { useTitle } from '../../ui/page';
import { durationOf, isTerminal, StateLabel } from '../../ui/runs/run-state';
import { Ago, At, Elapsed } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { Children } from './children';
import { causeOf, reasonOf } from './execution-facts';
import { RetryButton } from './retry-menu';
import type { NodeRunRow } from './run-model';

const DeleteExecution = lazy(() =>
  import('./delete-execution').then((module) => ({ default: module.DeleteExecution })),
);

const curlOf = ({ id }: Execution): string =>
  `curl -H "X-SVC-API-KEY: $WEFT_API_KEY" ${location.origin}/api/v1/executions/${id}`;

/** A cost in the currency of the price file, which only the operator knows. */
const costText = (cost: number): string => String(Number(cost.toFixed(cost < 0.01 ? 6 : 4)));

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const waitText = ({ waitsForCall, waitsForChild }: ExecutionProgress): string => {
  if (waitsForChild !== undefined) return 'another execution';
  return waitsForCall ? 'a call' : 'a time';
};

/** When, how long, by what, which version; relatives; custom data. */
export const Facts = ({ execution, progress }: { execution: Execution; progress: ExecutionProgress | undefined }) => {
  const {
    id,
    workflowId,
    startedAt,
    mode,
    versionId,
    parentExecutionId,
    retryOf,
    retrySuccessId,
    customData,
    modelUsage,
  } = execution;
  const current = useQuery(workflowSummaryQuery(workflowId)).data?.versionId;
  const ms = durationOf(execution);
  const reason = reasonOf(execution);
  return (
    <dl className="facts" tabIndex={0} aria-label="Facts">
      <div className="only-narrow">
        <dt className="sr">State</dt>
        <dd>
          <StateLabel state={execution.state} />
        </dd>
      </div>
      {startedAt !== null && (
        <Fact name="Started">
          <At at={startedAt} />{' '}
          <span className="faint">
            <Ago at={startedAt} />
          </span>
        </Fact>
      )}
      <Fact name="Took">
        <span className="num">
          {ms !== undefined ? formatDuration(ms) : startedAt === null ? '–' : <Elapsed since={startedAt} />}
        </span>
      </Fact>
      <Fact name="By">
        {parentExecutionId === undefined ? (
          causeOf(mode)
        ) : (
          <Link className="lnk" to="/executions/$id" params={{ id: parentExecutionId }} search={{}}>
            {causeOf(mode)}
          </Link>
        )}
      </Fact>
      {progress !== undefined && execution.state === 'waiting' && (
        <Fact name="Waits for">
          {progress.waitsForChild === undefined ? (
            waitText(progress)
          ) : (
            <Link className="lnk" to="/executions/$id" params={{ id: progress.waitsForChild }} search={{}}>
              {waitText(progress)}
            </Link>
          )}
          {progress.resumeAt !== undefined && (
            <>
              {' '}
              until <At at={progress.resumeAt} />
            </>
          )}
        </Fact>
      )}
      {reason !== undefined && (
        <Fact name="Reason">
          <code>{reason}</code>
        </Fact>
      )}
      {progress !== undefined && progress.crashes > 0 && <Fact name="Crashes">{progress.crashes}</Fact>}
      {versionId !== undefined && current !== undefined && (
        <Fact name="Version">{current === versionId ? 'the current one' : 'an earlier one'}</Fact>
      )}
      {modelUsage !== undefined && (
        <Fact name="Tokens">
          <span className="num">
            {`${formatCount(modelUsage.inputTokens)} in, ${formatCount(modelUsage.outputTokens)} out`}
          </span>
        </Fact>
      )}
      {modelUsage?.cost !== undefined && (
        <Fact name="Cost">
          <span className="num">{costText(modelUsage.cost)}</span>
          {modelUsage.unpricedModels !== undefined && (
            <span className="faint">{` without ${modelUsage.unpricedModels.join(', ')}`}</span>
          )}
        </Fact>
      )}
      <Children execution={execution} />
      {retryOf !== undefined && (
        <Fact name="Retry of">
          <Link className="lnk" to="/executions/$id" params={{ id: retryOf }} search={{}}>
            {shortId(retryOf)}
          </Link>
        </Fact>
      )}
      {retrySuccessId !== undefined && (
        <Fact name="Succeeded as">
          <Link className="lnk" to="/executions/$id" params={{ id: retrySuccessId }} search={{}}>
            {shortId(retrySuccessId)}
          </Link>
        </Fact>
      )}
      {Object.entries(customData ?? {})
        .slice(0, 10)
        .map(([name, value]) => (
          <Fact key={name} name={name}>
            <Link className="lnk" to="/executions" search={{ data: `${name}:${String(value)}` }}>
              <code>{String(value).slice(0, 60)}</code>
            </Link>
          </Fact>
        ))}
      <div className="id">
        <dt>Id</dt>
        <dd>
          <code title={id}>{shortId(id)}</code>
          <CopyButton text={id} label="Copy the id" />
        </dd>
      </div>
    </dl>
  );
};

const cancel = async ({ id }: Execution): Promise<void> => {
  try {
    await weft.call('cancelExecution', { path: { id } });
    notify('The execution is cancelled');
    await queryClient.invalidateQueries({ queryKey: ['execution', id] });
  } catch (error) {
    notify('Could not cancel', 'error', errorText(error));
  }
};

/** Title, state and actions. */
export const ExecutionHead = ({
  execution,
  name,
  rows,
  node,
}: {
  execution: Execution;
  name: string;
  /** Its node runs. */
  rows: readonly NodeRunRow[];
  /** The node that is shown. */
  node: string | undefined;
}) => {
  const { id, workflowId, state } = execution;
  const navigate = useNavigate();
  const router = useRouter();
  const mayWrite = useMay('executions:write');
  const [isDeleting, setDeleting] = useState(false);
  useTitle(name);
  const goBack = (): void => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: '/executions', search: {} });
  };
  return (
    <header className="top xtop">
      <button type="button" className="btn quiet icon" aria-label="Back" onClick={goBack}>
        <Icon name="back" />
      </button>
      <div className="grow ttl">
        <h1 className="clip" title={name}>
          {name}
        </h1>
        <span className="only-wide">
          <StateLabel state={state} pill />
        </span>
      </div>
      <Link
        className="btn only-wide"
        to="/workflows/$id"
        params={{ id: workflowId }}
        search={{ execution: id, node }}
        title="The workflow as it is now, with the data of this execution"
      >
        <Icon name="pen" />
        Open in editor
      </Link>
      <span className="only-wide">
        <MenuButton
          className="btn"
          entries={[
            { label: 'Link', icon: 'copy', act: () => void copyText(location.href, 'Link') },
            { label: 'Id', icon: 'copy', act: () => void copyText(id, 'Id') },
            { label: 'curl command', icon: 'code', act: () => void copyText(curlOf(execution), 'Command') },
            { label: 'weft command', icon: 'code', act: () => void copyText(`weft execution get ${id}`, 'Command') },
          ]}
        >
          <Icon name="copy" />
          Copy as
          <Icon name="down" size={12} />
        </MenuButton>
      </span>
      {mayWrite && !isTerminal(state) && (
        <button type="button" className="btn" onClick={() => void cancel(execution)}>
          <Icon name="ban" />
          Cancel
        </button>
      )}
      {mayWrite && isTerminal(state) && (
        <RetryButton
          execution={execution}
          rows={rows}
          label={state === 'success' ? 'Run again' : 'Retry'}
          className="btn primary"
        />
      )}
      <MenuButton
        label="More actions"
        entries={[
          {
            label: 'Executions of this workflow',
            icon: 'runs',
            act: () => void navigate({ to: '/executions', search: { workflow: workflowId } }),
          },
          {
            label: 'Open in editor with this data',
            icon: 'pen',
            act: () =>
              void navigate({ to: '/workflows/$id', params: { id: workflowId }, search: { execution: id, node } }),
          },
          { label: 'Copy the link', icon: 'copy', act: () => void copyText(location.href, 'Link') },
          ...(mayWrite
            ? [
                {
                  label: 'Delete the execution',
                  icon: 'trash' as const,
                  isDanger: true,
                  act: () => setDeleting(true),
                },
              ]
            : []),
        ]}
      >
        <Icon name="more" />
      </MenuButton>
      <Suspense>{isDeleting && <DeleteExecution execution={execution} close={() => setDeleting(false)} />}</Suspense>
    </header>
  );
};
