import { useInfiniteQuery } from '@tanstack/react-query';
import { use, useEffect, useRef } from 'react';
import { executionsQuery } from '../../../api/queries';
import { formatCount, formatTime } from '../../../ui/values/format';
import { wordOf } from '../../../ui/runs/run-state';
import { ItemSteps } from '../../executions/inspector/steps';
import { selection } from '../data/selection';
import { totalOf, useRunData } from '../data/use-run-data';
import { useEditor } from '../editor-context';
import { useEdits } from './form-context';
import { PreviewContext } from '../expression/preview-context';

/** Executions that can be chosen here; the list of executions has all. */
const MAX_CHOICES = 25;

/** Chooses the execution whose data is shown. */
const SourcePicker = () => {
  const { workflowId, source, setSource } = useEditor();
  const list = useInfiniteQuery({ ...executionsQuery({ workflowId }), refetchInterval: false });
  const executions = list.data?.pages[0]?.data.slice(0, MAX_CHOICES) ?? [];
  const shown = source?.executionId ?? '';
  const now = list.dataUpdatedAt;
  const isListed = shown === '' || executions.some(({ id }) => id === shown);
  const sought = useRef('');
  const { refetch, isSuccess } = list;
  // A run that began after the list was read is read once more.
  useEffect(() => {
    if (isListed || !isSuccess || sought.current === shown) return;
    sought.current = shown;
    void refetch();
  }, [isListed, isSuccess, shown, refetch]);
  return (
    <label className="picker">
      <span className="sr">Data of</span>
      <select value={shown} onChange={({ target }) => setSource(target.value === '' ? undefined : target.value)}>
        {shown === '' && <option value="">No run yet</option>}
        {!isListed && <option value={shown}>Chosen run</option>}
        {executions.map(({ id, state, startedAt }, at) => (
          <option key={id} value={id}>
            {at === 0
              ? 'Last run'
              : `${startedAt === null ? 'Queued' : formatTime(new Date(startedAt), now)}, ${wordOf(state).toLowerCase()}`}
          </option>
        ))}
      </select>
    </label>
  );
};

/** The item that previews show, and the execution that it is from. */
export const ItemBar = () => {
  const { name } = useEdits();
  const preview = use(PreviewContext);
  const { sources, runs, run, selected } = useRunData(name);
  const total = sources.map((source) => totalOf(source, runs)).find((count) => count > 0) ?? 0;
  const { item } = selected;
  const choose = (next: number): void => selection.set({ node: name, run, item: next });
  return (
    <div className="itembar">
      {total > 0 ? (
        <>
          <span className="soft">Values for item</span>
          <ItemSteps at={item} count={total} go={choose}>
            <b className="num">{formatCount(item + 1)}</b>
            <span className="faint num">of {formatCount(total)}</span>
          </ItemSteps>
        </>
      ) : (
        <span className="soft">{preview?.place === undefined ? 'Loading data …' : 'No input items'}</span>
      )}
      <span className="grow" />
      <SourcePicker />
    </div>
  );
};
