import { useQuery } from '@tanstack/react-query';
import type { Json } from '@weft/node-catalogue/definitions';
import { pinItems } from '@weft/workflow-edit';
import { useState } from 'react';
import { ITEMS_PAGE, itemsQuery, nodeRunQuery } from '../../../api/queries';
import { formatCount, plural } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { withItemNumber } from '../../executions/execution-facts';
import { firstFilled } from '../../executions/run-model';
import { typeOfNode } from '../../graph/kinds';
import { useEditor } from '../editor-context';
import { pinnable } from '../operations/toggle-pin';
import { useChangedNodes } from '../run/changed';
import { StoredItems, type View, ViewSwitch } from './items-view';
import { RunToHere } from '../run/run-to-here';
import { PinEditor, Pins, usePins } from './pins';
import { selection } from './selection';
import type { RunData } from './use-run-data';

/** What the user begins with who writes the items of a node. */
const FIRST_ITEMS: readonly Json[] = [{ json: { name: 'value' } }];

const PinButton = ({
  name,
  executionId,
  executionIndex,
  page,
}: {
  name: string;
  executionId: string;
  executionIndex: number;
  page: number;
}) => {
  const { edit, isReadOnly } = useEditor();
  const items = useQuery(itemsQuery(executionId, executionIndex, 0, page)).data?.data ?? [];
  const pinned = pinnable(items);
  if (isReadOnly || items.length === 0) return null;
  return (
    <button
      type="button"
      className="btn sm"
      disabled={pinned === undefined}
      title={pinned === undefined ? 'An item of this page is too long to be pinned' : undefined}
      onClick={() => pinned !== undefined && edit((document) => pinItems(document, name, pinned))}
    >
      <Icon name="pin" size={12} />
      Pin {plural(items.length, 'item')}
    </button>
  );
};

/** Labels of the outputs of a node. */
const useOutputLabels = (name: string): readonly string[] => {
  const { document, kinds } = useEditor();
  const node = document.definition.nodes.find((one) => one.name === name);
  const type = typeOfNode(kinds, node?.type ?? '');
  const labels = type?.outputs ?? [];
  return node?.onError === 'continueErrorOutput' ? [...labels, 'error'] : labels;
};

const Ran = ({
  name,
  data,
  view,
  isPinnable,
  enter,
}: {
  name: string;
  data: RunData;
  view: View;
  isPinnable: boolean;
  /** Lets the user write the items that runs take in place of the output. */
  enter: () => void;
}) => {
  const { executionId, runs, run } = data;
  const labels = useOutputLabels(name);
  const [chosen, chooseOutput] = useState<number>();
  const [page, turn] = useState(0);
  const [item, choose] = useState(0);
  const own = runs.find((one) => one.node === name && one.run === run);
  const record = useQuery({
    ...nodeRunQuery(executionId ?? '', own?.executionIndex ?? 0),
    enabled: own !== undefined,
  }).data;
  if (own === undefined || executionId === undefined)
    return (
      <div className="pad nodata">
        <p className="soft">
          {executionId === undefined ? 'The node has not run yet.' : 'This execution did not reach the node.'}
        </p>
        <p className="acts">
          <RunToHere node={name} text="Run to here" />
          {isPinnable && (
            <button type="button" className="btn sm quiet" onClick={enter}>
              <Icon name="pen" size={12} />
              Enter items
            </button>
          )}
        </p>
      </div>
    );
  const output = chosen ?? firstFilled(own.items);
  return (
    <>
      {record?.error !== undefined && (
        <p className="st error wraps pad">
          <Icon name="error" />
          <span>{withItemNumber(record.error.message)}</span>
        </p>
      )}
      {(own.items.length > 1 || isPinnable) && (
        <div className="acts pad">
          {own.items.length > 1 && (
            <div className="seg" role="group" aria-label="Output">
              {own.items.map((count, at) => (
                <button key={at} type="button" aria-pressed={at === output} onClick={() => chooseOutput(at)}>
                  {labels[at] ?? at + 1} <span className="count">{formatCount(count)}</span>
                </button>
              ))}
            </div>
          )}
          {isPinnable && output === 0 && (
            <PinButton name={name} executionId={executionId} executionIndex={own.executionIndex} page={page} />
          )}
        </div>
      )}
      {own.items.length > 0 && (
        <StoredItems
          key={`${executionId} ${own.executionIndex} ${output}`}
          executionId={executionId}
          executionIndex={own.executionIndex}
          output={output}
          page={page}
          turn={turn}
          view={view}
          label="Output"
          current={item}
          choose={(next) => {
            choose(next);
            turn(Math.floor(next / ITEMS_PAGE));
          }}
          root={undefined}
        />
      )}
    </>
  );
};

/** The output of a node: its pinned items, or what the chosen execution stored. */
export const OutputPanel = ({ name, data }: { name: string; data: RunData }) => {
  const [view, setView] = useState<View>('table');
  const { isReadOnly } = useEditor();
  const [isRunShown, showRun] = useState(false);
  const [isEntering, setEntering] = useState(false);
  const pins = usePins(name);
  const isChanged = useChangedNodes().has(name);
  const { ownRuns, run, selected } = data;
  const showsPins = pins !== undefined && !isRunShown;
  return (
    <section className="col" aria-label="Output">
      <header className="dh">
        <h2>Output</h2>
        {pins !== undefined && (
          <span className="tag pinned">
            <Icon name="pin" size={12} />
            pinned
          </span>
        )}
        {!showsPins && isChanged && ownRuns.length > 0 && (
          <span className="tag waiting soft">
            <Icon name="alert" size={12} />
            changed since this run
          </span>
        )}
        <span className="grow" />
        {ownRuns.length > 1 && !showsPins && (
          <select
            className="tin sm"
            aria-label="Run of the node"
            value={run}
            onChange={({ target }) => selection.set({ ...selected, node: name, run: Number(target.value), item: 0 })}
          >
            {ownRuns.slice(0, 1_000).map((row) => (
              <option key={row.run} value={row.run}>
                Run {row.run + 1} of {ownRuns.length}
              </option>
            ))}
          </select>
        )}
        {pins !== undefined && ownRuns.length > 0 && (
          <button type="button" className="btn sm quiet" onClick={() => showRun(!isRunShown)}>
            {isRunShown ? 'Show pins' : 'Show the run'}
          </button>
        )}
        <ViewSwitch view={view} change={setView} of="the output" />
      </header>
      <div className="scroll">
        {isEntering ? (
          <PinEditor name={name} items={FIRST_ITEMS} close={() => setEntering(false)} />
        ) : pins !== undefined && showsPins ? (
          <Pins name={name} items={pins} view={view} />
        ) : (
          <Ran
            key={`${data.executionId} ${run}`}
            name={name}
            data={data}
            view={view}
            isPinnable={pins === undefined && !isReadOnly}
            enter={() => setEntering(true)}
          />
        )}
      </div>
    </section>
  );
};
