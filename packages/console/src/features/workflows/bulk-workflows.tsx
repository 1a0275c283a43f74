import type { WorkflowSummary } from '@weft/client';
import { useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { actOnAll } from '../../ui/act-on-all';
import { Confirm } from '../../ui/overlays/dialog';
import { plural } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/overlays/toast';
import { MoveDialog } from '../projects/move-dialog';

/** Says how many were changed, and why others were not. */
const report = async (done: string, count: number, failures: readonly string[]): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: ['workflows'] });
  if (count > failures.length) notify(`${plural(count - failures.length, 'workflow')} ${done}`);
  if (failures.length > 0) notify(`${plural(failures.length, 'workflow')} could not be ${done}`, 'error', failures[0]);
};

/** What can be done with the selected workflows. */
export const BulkWorkflows = ({ selected, clear }: { selected: readonly WorkflowSummary[]; clear: () => void }) => {
  const [asked, setAsked] = useState<'move' | 'delete'>();
  const ids = selected.map(({ id }) => id);
  const active = selected.filter((one) => one.active).length;
  const close = (): void => setAsked(undefined);
  return (
    <div className="bulk" role="region" aria-label="Selected workflows">
      <b className="num">{selected.length} selected</b>
      <button type="button" className="btn sm" onClick={() => setAsked('move')}>
        <Icon name="folder" size={12} />
        Move {selected.length}
      </button>
      <button type="button" className="btn sm" onClick={() => setAsked('delete')}>
        <Icon name="trash" size={12} />
        Delete {selected.length}
      </button>
      <span className="grow" />
      <button type="button" className="btn sm quiet" onClick={clear}>
        Clear the selection
      </button>
      {asked === 'move' && (
        <MoveDialog
          what={plural(selected.length, 'workflow')}
          close={close}
          move={async (destinationProjectId) => {
            const failures = await actOnAll(ids, (id) =>
              weft.call('transferWorkflow', { path: { id }, body: { destinationProjectId } }),
            );
            await report('moved', ids.length, failures);
            clear();
          }}
        >
          <p className="soft">Their runs then use the credentials of the new owner.</p>
        </MoveDialog>
      )}
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${plural(selected.length, 'workflow')}?`}
          action={`Delete ${selected.length}`}
          isDanger
          close={close}
          act={async () => {
            const failures = await actOnAll(ids, (id) => weft.call('deleteWorkflow', { path: { id } }));
            await report('deleted', ids.length, failures);
            clear();
          }}
        >
          <p>They are deleted for good.{active > 0 && ` ${active} of them active: their triggers stop.`}</p>
        </Confirm>
      )}
    </div>
  );
};
