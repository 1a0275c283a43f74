import type { Workflow } from '@weft/client';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { weft } from '../../api/client';
import { executionsQuery, nodeTypesQuery, useMay, workflowQuery } from '../../api/queries';
import { formatDuration, plural } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { download } from '../../ui/json';
import { JsonTree } from '../../ui/json-tree';
import { useTitle } from '../../ui/page';
import { durationOf, StateLabel } from '../../ui/run-state';
import { ErrorState, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { notify } from '../../ui/toast';
import { messageOf } from '../executions/execution-facts';
import { readGraph } from '../graph/definition';
import { GraphView, NO_MARKS } from '../graph/graph-view';
import { KindTile } from '../graph/kind-tile';
import { ActiveSwitch } from './active-switch';

const route = getRouteApi('/workflows/$id');

const MAX_RUNS = 10;

const Runs = ({ id }: { id: string }) => {
  const list = useInfiniteQuery(executionsQuery({ workflowId: id }));
  if (list.isPending) return <Loading rows={3} label="Loading executions" />;
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} what="the executions" retry={() => void list.refetch()} />;
  const executions = list.data?.pages[0]?.data ?? [];
  if (executions.length === 0) return <p className="soft pad">It has not run yet.</p>;
  return (
    <ul className="runs">
      {executions.slice(0, MAX_RUNS).map((execution) => {
        const ms = durationOf(execution);
        return (
          <li key={execution.id}>
            <Link to="/executions/$id" params={{ id: execution.id }} search={{}}>
              <StateLabel state={execution.state} />
              <span className="soft grow clip">{messageOf(execution)}</span>
              <span className="soft num">{ms === undefined ? '' : formatDuration(ms)}</span>
              <span className="faint">{execution.startedAt !== null && <Ago at={execution.startedAt} />}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
};

const fileNameOf = ({ name }: Workflow): string => `${name.replace(/[^\w-]+/g, '-').slice(0, 80)}.json`;

const Head = ({ workflow }: { workflow: Workflow }) => {
  const { id, name, active } = workflow;
  const navigate = useNavigate();
  const mayWrite = useMay('workflows:write');
  useTitle(name);
  const start = useMutation({
    mutationFn: () =>
      weft.call('executeWorkflow', {
        path: { id },
        body: {},
        headers: { 'idempotency-key': crypto.randomUUID() },
      }),
    onSuccess: ({ data }) => navigate({ to: '/executions/$id', params: { id: data.executionId }, search: {} }),
    onError: (error) => notify('Could not start the workflow', 'error', error.message),
  });
  return (
    <header className="top xtop">
      <Link className="btn quiet icon" to="/workflows" search={{}} aria-label="Back to workflows">
        <Icon name="back" />
      </Link>
      <div className="grow ttl">
        <h1 className="clip" title={name}>
          {name}
        </h1>
      </div>
      <label className="line only-wide" aria-hidden="true">
        <span className="soft">{active ? 'Active' : 'Inactive'}</span>
      </label>
      <ActiveSwitch id={id} name={name} active={active} mayChange={mayWrite} />
      <button type="button" className="btn only-wide" onClick={() => download(workflow, fileNameOf(workflow))}>
        <Icon name="download" />
        Download
      </button>
      {mayWrite && (
        <button type="button" className="btn primary" disabled={start.isPending} onClick={() => start.mutate()}>
          <Icon name="play" />
          Run
        </button>
      )}
    </header>
  );
};

/** A workflow to look at: its graph, the parameters of a node, its last executions. */
export const WorkflowPage = () => {
  const { id } = route.useParams();
  const query = useQuery(workflowQuery(id));
  const types = useQuery(nodeTypesQuery).data;
  const [opened, open] = useState<string>();
  const graph = useMemo(
    () => (query.data === undefined ? undefined : readGraph(query.data, types)),
    [query.data, types],
  );
  if (query.isError && query.data === undefined)
    return <ErrorState isPage error={query.error} what="this workflow" retry={() => void query.refetch()} />;
  if (query.data === undefined || graph === undefined) return <Loading label="Loading the workflow" />;
  const node = graph.nodes.find(({ name }) => name === opened);
  const type = types?.get(node?.kind ?? '');
  return (
    <>
      <Head workflow={query.data} />
      <div className="xgrid">
        <GraphView
          graph={graph}
          types={types}
          marks={NO_MARKS}
          opened={opened}
          open={open}
          label={`Graph, ${plural(graph.nodes.length, 'node')}`}
        />
        <section className="tl" aria-label="Executions">
          <header className="dh">
            <h2 className="grow">Last executions</h2>
            <Link className="lnk" to="/executions" search={{ workflow: id }}>
              Show all
            </Link>
          </header>
          <div className="tlist" tabIndex={0} role="region" aria-label="Last executions">
            <Runs key={id} id={id} />
          </div>
        </section>
        <aside className="panel" aria-label={node?.name ?? 'Workflow'}>
          {node === undefined ? (
            <div className="pbody">
              <dl className="factlist">
                <div>
                  <dt>Nodes</dt>
                  <dd>{graph.nodes.length}</dd>
                </div>
                <div>
                  <dt>Changed</dt>
                  <dd>
                    <Ago at={query.data.updatedAt} />
                  </dd>
                </div>
                <div>
                  <dt>Id</dt>
                  <dd>
                    <code>{id}</code>
                  </dd>
                </div>
              </dl>
              <p className="soft">Choose a node to see its parameters. Workflows are edited as files, over the API.</p>
            </div>
          ) : (
            <>
              <header className="ph">
                <KindTile kind={node.kind} type={type} />
                <span className="grow">
                  <b className="pt clip" title={node.name}>
                    {node.name}
                  </b>
                  <small className="faint">{type?.label ?? node.type}</small>
                </span>
                <button type="button" className="btn quiet icon" aria-label="Close" onClick={() => open(undefined)}>
                  <Icon name="close" />
                </button>
              </header>
              <div className="pbody">
                {node.notes !== '' && <p>{node.notes}</p>}
                <JsonTree value={node.parameters ?? {}} label="Parameters" />
              </div>
            </>
          )}
        </aside>
      </div>
    </>
  );
};
