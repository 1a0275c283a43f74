import { isJsonObject } from '@weft/node-catalogue/definitions';
import { itemRoot } from '@weft/workflow-edit/form';
import { useState } from 'react';
import { ITEMS_PAGE } from '../../../api/queries';
import { plural } from '../../../ui/values/format';
import { ErrorState, Loading } from '../../../ui/states';
import { firstFilled } from '../../executions/run-model';
import { CallInput, useIsSubNode } from './call-input';
import { Items, StoredItems, type View, ViewSwitch } from './items-view';
import { RunToHere } from '../run/run-to-here';
import { OutputPanel } from './output-panel';
import { usePins } from './pins';
import { selection } from './selection';
import { type RunData, runOf, type Source, totalOf, useRunData } from './use-run-data';

/** The first input that has items gives `$json`. */
const itemsInputOf = ({ sources, runs }: RunData): number =>
  firstFilled(sources.map((source) => totalOf(source, runs)));

/** Items of one input; those of the first input with items are what expressions call `$json`. */
const InputItems = ({ data, source, view, isMain }: { data: RunData; source: Source; view: View; isMain: boolean }) => {
  const { executionId, selected, run } = data;
  const [turned, turn] = useState<number>();
  const [other, chooseOther] = useState(0);
  const from = runOf(source, data.runs);
  const pins = usePins(source?.previousNode ?? '');
  if (source !== null && from === undefined && pins !== undefined)
    return (
      <Items
        items={pins.filter(isJsonObject).slice(0, ITEMS_PAGE)}
        first={0}
        total={pins.length}
        view={view}
        label="Input"
        current={isMain ? selected.item : other}
        choose={(next) => (isMain ? selection.set({ ...selected, run, item: next }) : chooseOther(next))}
        root={itemRoot(isMain ? undefined : source.previousNode)}
      />
    );
  if (source === null || from === undefined || executionId === undefined)
    return (
      <div className="pad nodata">
        <p className="soft">{source === null ? 'This input got nothing.' : `${source.previousNode} has not run.`}</p>
        {source !== null && <RunToHere node={source.previousNode} text={`Run to ${source.previousNode}`} />}
      </div>
    );
  const item = isMain ? selected.item : other;
  const choose = (next: number): void => {
    turn(undefined);
    if (isMain) selection.set({ ...selected, run, item: next });
    else chooseOther(next);
  };
  return (
    <StoredItems
      executionId={executionId}
      executionIndex={from.executionIndex}
      output={source.previousNodeOutput ?? 0}
      page={turned ?? Math.floor(item / ITEMS_PAGE)}
      turn={turn}
      view={view}
      label="Input"
      current={item}
      choose={choose}
      root={itemRoot(isMain ? undefined : source.previousNode)}
    />
  );
};

const InputPanel = ({ data }: { data: RunData }) => {
  const [view, setView] = useState<View>('table');
  const [chosen, chooseInput] = useState<number>();
  const main = itemsInputOf(data);
  const input = Math.min(chosen ?? main, Math.max(0, data.sources.length - 1));
  const source = data.sources[input] ?? null;
  const pins = usePins(source?.previousNode ?? '');
  const stored = totalOf(source, data.runs);
  const total = runOf(source, data.runs) === undefined ? (pins?.length ?? stored) : stored;
  return (
    <section className="col" aria-label="Input">
      <header className="dh">
        <h2>Input</h2>
        {data.sources.length > 1 ? (
          <select
            className="tin sm"
            aria-label="Input"
            value={input}
            onChange={({ target }) => chooseInput(Number(target.value))}
          >
            {data.sources.map((one, at) => (
              <option key={at} value={at}>
                {at + 1}: {one?.previousNode ?? 'nothing'}
              </option>
            ))}
          </select>
        ) : (
          source !== null && <span className="tag clip">{source.previousNode}</span>
        )}
        <span className="faint num">{plural(total, 'item')}</span>
        <span className="grow" />
        <ViewSwitch view={view} change={setView} of="the input" />
      </header>
      <div className="scroll">
        {data.sources.length === 0 ? (
          <p className="soft pad">This node starts runs: it has no input.</p>
        ) : (
          <InputItems
            key={`${data.executionId} ${input}`}
            data={data}
            source={source}
            view={view}
            isMain={input === main}
          />
        )}
      </div>
    </section>
  );
};

/** Input and output of a node in the chosen execution. */
export const DataPanels = ({ name }: { name: string }) => {
  const data = useRunData(name);
  const isSubNode = useIsSubNode(name);
  if (data.error !== null && data.error !== undefined && data.runs.length === 0)
    return <ErrorState error={data.error} what="the data of this execution" retry={data.reload} />;
  if (data.isLoading && data.runs.length === 0) return <Loading rows={3} label="Loading the data of the execution" />;
  return (
    <div className="dpanels">
      {isSubNode ? (
        <CallInput key={`call ${name} ${data.run}`} name={name} data={data} />
      ) : (
        <InputPanel key={`input ${name}`} data={data} />
      )}
      <OutputPanel key={`output ${name}`} name={name} data={data} />
    </div>
  );
};
