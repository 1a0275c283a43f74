import type { Execution } from '@weft/client';
import { useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Confirm } from '../../ui/overlays/dialog';
import { actOnAll } from '../../ui/act-on-all';
import { plural } from '../../ui/values/format';
import { Icon, type IconName } from '../../ui/icon';
import { isTerminal } from '../../ui/runs/run-state';
import { notify } from '../../ui/overlays/toast';

type Action = 'retry' | 'cancel' | 'delete';

interface Kind {
  readonly icon: IconName;
  readonly label: string;
  readonly done: string;
  readonly text: string;
  readonly applies: (execution: Execution) => boolean;
  readonly act: (id: string) => Promise<unknown>;
}

const ACTIONS: Readonly<Record<Action, Kind>> = {
  retry: {
    icon: 'retry',
    label: 'Retry',
    done: 'retried',
    text: 'Each starts a new execution at its failed node, with the version that ran. Side effects after that node happen again.',
    applies: ({ state }) => isTerminal(state),
    act: (id) =>
      weft.call('retryExecution', {
        path: { id },
        body: { from: 'failedNode' },
        headers: onceOnly(),
      }),
  },
  cancel: {
    icon: 'ban',
    label: 'Cancel',
    done: 'cancelled',
    text: 'The current node is aborted. What it has already sent is not undone.',
    applies: ({ state }) => !isTerminal(state),
    act: (id) => weft.call('cancelExecution', { path: { id } }),
  },
  delete: {
    icon: 'trash',
    label: 'Delete',
    done: 'deleted',
    text: 'Their data is deleted for good. Executions that have not ended are cancelled first.',
    applies: () => true,
    act: (id) => weft.call('deleteExecution', { path: { id } }),
  },
};

const NAMES = ['retry', 'cancel', 'delete'] as const satisfies readonly Action[];

/** What can be done with the selected executions. */
export const BulkActions = ({ selected, clear }: { selected: readonly Execution[]; clear: () => void }) => {
  const [asked, setAsked] = useState<Action>();
  const kind = asked === undefined ? undefined : ACTIONS[asked];
  const concerned = kind === undefined ? [] : selected.filter(kind.applies);
  return (
    <div className="bulk" role="region" aria-label="Selected executions">
      <b className="num">{selected.length} selected</b>
      {NAMES.map((name) => {
        const { icon, label, applies } = ACTIONS[name];
        const count = selected.filter(applies).length;
        return (
          <button key={name} type="button" className="btn sm" disabled={count === 0} onClick={() => setAsked(name)}>
            <Icon name={icon} size={12} />
            {label} {count}
          </button>
        );
      })}
      <span className="grow" />
      <button type="button" className="btn sm quiet" onClick={clear}>
        Clear the selection
      </button>
      {kind !== undefined && (
        <Confirm
          title={`${kind.label} ${plural(concerned.length, 'execution')}?`}
          action={`${kind.label} ${concerned.length}`}
          isDanger={asked === 'delete'}
          close={() => setAsked(undefined)}
          act={async () => {
            const failures = await actOnAll(
              concerned.map(({ id }) => id),
              kind.act,
            );
            await queryClient.invalidateQueries({ queryKey: ['executions'] });
            const done = concerned.length - failures.length;
            if (done > 0) notify(`${plural(done, 'execution')} ${kind.done}`);
            if (failures.length > 0)
              notify(`${plural(failures.length, 'execution')} could not be ${kind.done}`, 'error', failures[0]);
            clear();
          }}
        >
          <p>{kind.text}</p>
        </Confirm>
      )}
    </div>
  );
};
