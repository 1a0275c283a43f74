import { isJsonObject } from '@weft/node-catalogue/definitions';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ITEMS_PAGE, nodeRunQuery } from '../../../api/queries';
import { plural } from '../../../ui/values/format';
import { ErrorState, Loading } from '../../../ui/states';
import { givenTo } from '../../executions/inspector/sub-runs';
import { typeOfNode } from '../../graph/kinds';
import { useEditor } from '../editor-context';
import { Items, type View, ViewSwitch } from './items-view';
import type { RunData } from './use-run-data';

/** True for a node that other nodes call, and that items do not reach. */
export const useIsSubNode = (name: string): boolean => {
  const { document, kinds } = useEditor();
  const type = typeOfNode(kinds, document.definition.nodes.find((node) => node.name === name)?.type ?? '');
  return type !== undefined && type.inputs.length === 0 && (type.provides ?? []).length > 0;
};

/** The callers of a sub-node: names of the nodes that it is connected to. */
const useUsers = (name: string): readonly string[] => {
  const { connections } = useEditor().document.definition;
  const ends = Object.values(connections[name] ?? {}).flat(2);
  return [...new Set(ends.map(({ node }) => node))];
};

const NotCalled = ({ name, hasRun }: { name: string; hasRun: boolean }) => {
  const users = useUsers(name);
  if (users.length === 0) return <p className="soft pad">No node uses this sub-node yet: connect it to one.</p>;
  return (
    <p className="soft pad">
      {`${users.slice(0, 3).join(', ')} ${users.length === 1 ? 'calls' : 'call'} this sub-node. `}
      {hasRun ? 'This execution did not call it.' : 'Its calls appear here after a run.'}
    </p>
  );
};

/** What a sub-node was given by the node that called it, in place of items of an input. */
export const CallInput = ({ name, data }: { name: string; data: RunData }) => {
  const { open } = useEditor();
  const [view, setView] = useState<View>('json');
  const [current, choose] = useState(0);
  const { executionId, ownRuns, run } = data;
  const index = ownRuns.find((row) => row.run === run)?.executionIndex;
  const record = useQuery({ ...nodeRunQuery(executionId ?? '', index ?? 0), enabled: index !== undefined });
  const given = givenTo(record.data) ?? [];
  const items = given.flatMap(({ json }) => (isJsonObject(json) ? [{ json }] : []));
  const caller = record.data?.source?.find((source) => source !== null)?.previousNode;
  return (
    <section className="col" aria-label="Input">
      <header className="dh">
        <h2>Input of the call</h2>
        {caller !== undefined && (
          <button type="button" className="lnk" onClick={() => open(caller)}>
            by {caller}
          </button>
        )}
        {index !== undefined && <span className="faint num">{plural(items.length, 'item')}</span>}
        <span className="grow" />
        <ViewSwitch view={view} change={setView} of="the input" />
      </header>
      <div className="scroll">
        {index === undefined ? (
          <NotCalled name={name} hasRun={executionId !== undefined && data.runs.length > 0} />
        ) : record.isPending ? (
          <Loading rows={2} label="Loading the call" />
        ) : record.isError ? (
          <ErrorState error={record.error} what="this call" retry={() => void record.refetch()} />
        ) : items.length === 0 ? (
          <p className="soft pad">It was called without input.</p>
        ) : (
          <Items
            items={items.slice(0, ITEMS_PAGE)}
            first={0}
            total={items.length}
            view={view}
            label="Input of the call"
            current={current}
            choose={choose}
            root={undefined}
          />
        )}
      </div>
    </section>
  );
};
