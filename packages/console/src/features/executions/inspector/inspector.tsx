import { Tabs } from '@base-ui/react/tabs';
import type { Execution, NodeRun, NodeType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { ITEMS_PAGE, nodeRunQuery } from '../../../api/queries';
import { formatCount } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { JsonTree } from '../../../ui/values/json-tree';
import { ErrorState, Loading } from '../../../ui/states';
import type { Graph, GraphNode } from '../../graph/definition';
import { KindTile } from '../../graph/kind-tile';
import { firstFilled, type NodeRunRow } from '../run-model';
import { atNodeRun, type InspectorSearch } from '../search';
import { ErrorBox } from './error-box';
import { ItemsPanel } from './items-panel';
import { Log } from './log';
import { GivenInput, givenTo, SubRuns } from './sub-runs';

const ResolvedParameters = lazy(() =>
  import('./resolved-parameters').then((module) => ({ default: module.ResolvedParameters })),
);

interface InspectorProps {
  readonly execution: Execution;
  readonly name: string;
  readonly node: GraphNode | undefined;
  readonly type: NodeType | undefined;
  readonly types: ReadonlyMap<string, NodeType> | undefined;
  readonly graph: Graph | undefined;
  /** Runs of this node. */
  readonly runs: readonly NodeRunRow[];
  /** All node runs, to find where the input comes from. */
  readonly rows: readonly NodeRunRow[];
  readonly search: InspectorSearch;
  readonly change: (changes: Partial<InspectorSearch>) => void;
  readonly close: () => void;
  /** The button that retries from here; undefined if that is not possible. */
  readonly retry: ReactNode;
}

interface Source {
  readonly node: string;
  readonly output: number;
  readonly row: NodeRunRow | undefined;
}

/** Where the input of a node run came from. */
const sourcesOf = (run: NodeRun | undefined, rows: readonly NodeRunRow[]): readonly Source[] =>
  (run?.source ?? [])
    .filter((source) => source !== null)
    .map(({ previousNode: node, previousNodeOutput: output = 0, previousNodeRun = 0 }) => ({
      node,
      output,
      row: rows.find((row) => row.node === node && row.run === previousNodeRun),
    }));

const Input = ({ run, ...props }: { run: NodeRun | undefined } & InspectorProps) => {
  const sources = sourcesOf(run, props.rows);
  const given = givenTo(run);
  if (given !== undefined) return <GivenInput items={given} callers={sources} change={props.change} />;
  if (sources.length === 0) return <p className="soft">This node starts the run: it has no input.</p>;
  return sources.map(({ node, output, row }) => (
    <section key={`${node} ${output}`} className="insection" aria-label={`Input from ${node}`}>
      <p className="soft">
        From{' '}
        <button type="button" className="lnk" onClick={() => props.change({ ...atNodeRun(node, row?.run), output })}>
          {node}
        </button>
      </p>
      {row?.executionIndex === undefined ? (
        <p className="soft">Its items are not stored.</p>
      ) : (
        <ItemsPanel
          id={props.execution.id}
          executionIndex={row.executionIndex}
          counts={[]}
          labels={[]}
          search={{ ...props.search, output }}
          change={props.change}
        />
      )}
    </section>
  ));
};

/** Shows the item that failed, until the user chooses something else. */
const atFailedItem = ({ error }: NodeRun, search: InspectorSearch): InspectorSearch => {
  const item = error?.['itemIndex'] ?? error?.context?.['itemIndex'];
  const isChosen = search.item !== undefined || search.page !== undefined || search.view !== undefined;
  if (typeof item !== 'number' || isChosen) return search;
  return { ...search, item, page: Math.floor(item / ITEMS_PAGE), view: 'json' };
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const Content = ({ row, ...props }: { row: NodeRunRow } & InspectorProps) => {
  const { execution, node, search, change, retry } = props;
  const run = useQuery({
    ...nodeRunQuery(execution.id, row.executionIndex ?? 0),
    enabled: row.executionIndex !== undefined,
  });
  const given = givenTo(run.data);
  const inputs =
    given?.length ?? sum(sourcesOf(run.data, props.rows).map(({ row: from, output }) => from?.items[output] ?? 0));
  const hints = run.data?.hints ?? [];
  const tab = search.tab ?? 'output';
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value: unknown) =>
        change({
          tab: value === 'input' || value === 'parameters' || value === 'log' ? value : undefined,
          page: undefined,
          item: value === 'parameters' ? search.item : undefined,
          output: undefined,
        })
      }
      className="inspect"
    >
      <Tabs.List className="tabs" aria-label="Data of the node run">
        <Tabs.Tab value="output">
          Output <span className="count">{row.items.length > 0 ? formatCount(sum(row.items)) : ''}</span>
        </Tabs.Tab>
        <Tabs.Tab value="input">
          Input <span className="count">{inputs > 0 ? formatCount(inputs) : ''}</span>
        </Tabs.Tab>
        <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
        <Tabs.Tab value="log">
          Log <span className="count">{hints.length > 0 ? hints.length : ''}</span>
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={tab} className="pbody" tabIndex={-1}>
        {row.executionIndex === undefined ? (
          <p className="soft">
            {row.state === 'running' || row.state === 'waiting'
              ? 'The node is working. Its data appears when it has finished.'
              : 'The data of this node run is stored with the next checkpoint.'}
          </p>
        ) : run.isPending ? (
          <Loading rows={4} label="Loading the node run" />
        ) : run.isError ? (
          <ErrorState error={run.error} what="this node run" retry={() => void run.refetch()} />
        ) : tab === 'output' ? (
          <>
            {run.data.failed && (
              <ErrorBox
                run={run.data}
                retry={retry}
                showItem={(item) => change({ item, page: Math.floor(item / ITEMS_PAGE), view: 'json' })}
              />
            )}
            {run.data.failed && run.data.items.length === 0 ? (
              <>
                <h2>Input that it failed on</h2>
                <Input run={run.data} {...props} search={atFailedItem(run.data, search)} />
              </>
            ) : (
              <ItemsPanel
                id={execution.id}
                executionIndex={row.executionIndex}
                counts={run.data.items}
                labels={node?.outputs ?? []}
                search={search}
                change={change}
                output={firstFilled(run.data.items)}
                sources={run.data.source}
              />
            )}
            <SubRuns id={execution.id} run={run.data} rows={props.rows} graph={props.graph} change={change} />
          </>
        ) : tab === 'input' ? (
          <Input run={run.data} {...props} />
        ) : tab === 'parameters' && given !== undefined ? (
          <>
            <p className="soft">Expressions are resolved for each item of the node that calls it.</p>
            <JsonTree value={node?.parameters ?? {}} label="Parameters" />
          </>
        ) : tab === 'parameters' ? (
          <Suspense fallback={<Loading rows={4} label="Loading the parameters" />}>
            <ResolvedParameters
              execution={execution}
              name={props.name}
              parameters={node?.parameters ?? {}}
              run={run.data}
              rows={props.rows}
              graph={props.graph}
              types={props.types}
              item={search.item ?? 0}
              total={inputs}
              choose={(item) => change({ item })}
            />
          </Suspense>
        ) : (
          <Log run={run.data} />
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
};

/** Data of one run of a node. */
export const Inspector = (props: InspectorProps) => {
  const { name, node, type, runs, search, change, close } = props;
  const last = runs.at(-1);
  const row = runs.find(({ run }) => run === search.run) ?? runs.find(({ state }) => state === 'error') ?? last;
  return (
    <aside className="panel" aria-label={name}>
      <header className="ph">
        <KindTile kind={node?.kind ?? ''} type={type} />
        <span className="grow">
          <b className="pt clip" title={name}>
            {name}
          </b>
          <small className="faint">{type?.label ?? node?.type}</small>
        </span>
        {runs.length > 1 && row !== undefined && (
          <label className="picker">
            <span className="sr">Run</span>
            <select
              value={row.run}
              onChange={({ target }) =>
                change({ run: Number(target.value), page: undefined, item: undefined, output: undefined })
              }
            >
              {runs.slice(0, 1_000).map(({ run, state }) => (
                <option key={run} value={run}>
                  Run {run + 1} of {runs.length}
                  {state === 'error' ? ', failed' : ''}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" className="btn quiet icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {row === undefined ? (
        <div className="pbody">
          <p className="soft">
            {node?.isDisabled === true ? 'The node is disabled.' : 'The run did not reach this node.'}
          </p>
          <h2>Parameters</h2>
          <JsonTree value={node?.parameters ?? {}} label="Parameters" />
        </div>
      ) : (
        <Content key={`${name} ${row.run}`} row={row} {...props} />
      )}
    </aside>
  );
};
