import type { MergeConflict, Side } from '@weft/workflow-edit';
import { useState } from 'react';
import { plural } from '../../../ui/values/format';
import { Modal } from '../../../ui/overlays/dialog';
import { useStore } from '../../../ui/store';
import { Ago } from '../../../ui/values/time';
import type { Conflict, EditorSession } from '../session';
import { shownPath, shownValue } from '../shown-value';
import { saveMerged } from './save-workflow';

const MAX_VALUE = 300;

const titleOf = ({ node, path, kind }: MergeConflict): string => {
  const place = shownPath(path);
  if (kind === 'removed') return `${node ?? 'Node'}: removed or changed`;
  return [node, place === '' ? undefined : place].filter((part) => part !== undefined).join(': ');
};

const keyOf = (conflict: MergeConflict): string => JSON.stringify([conflict.kind, conflict.node, conflict.path]);

/** A node that one side removed is kept by choosing the side that has it. */
const sideByDefault = ({ kind, mine }: MergeConflict): Side =>
  kind === 'removed' && mine !== undefined ? 'mine' : 'theirs';

const Choice = ({ conflict, side, choose }: { conflict: MergeConflict; side: Side; choose: (side: Side) => void }) => {
  const isRemoval = conflict.kind === 'removed';
  const text = (value: unknown): string =>
    isRemoval ? (value === undefined ? 'removed' : 'kept') : shownValue(value, MAX_VALUE);
  return (
    <fieldset className="ed-conflict">
      <legend>{titleOf(conflict)}</legend>
      {(['mine', 'theirs'] as const).map((one) => (
        <label key={one} className="ed-choice">
          <input type="radio" name={keyOf(conflict)} checked={side === one} onChange={() => choose(one)} />
          <span>
            <b>{one === 'mine' ? 'Yours' : 'Saved by someone else'}</b>
            <code>{text(one === 'mine' ? conflict.mine : conflict.theirs)}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const Decisions = ({ session, conflict }: { session: EditorSession; conflict: Conflict }) => {
  const { conflicts, theirs } = conflict;
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map());
  const sideOf = (one: MergeConflict): Side => sides.get(keyOf(one)) ?? sideByDefault(one);
  const close = (): void => session.conflict.set(undefined);
  return (
    <Modal title="Someone else saved this workflow" close={close} className="wide">
      <div className="dbody">
        <p>
          Another version was saved <Ago at={theirs.summary.updatedAt} />. Your other changes are merged with it.{' '}
          {conflicts.length === 1 ? 'One change overlaps' : `${plural(conflicts.length, 'change')} overlap`}: choose
          which value to save.
        </p>
        {conflicts.map((one) => (
          <Choice
            key={keyOf(one)}
            conflict={one}
            side={sideOf(one)}
            choose={(side) => setSides(new Map(sides).set(keyOf(one), side))}
          />
        ))}
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          Keep editing
        </button>
        <button type="button" className="btn primary" onClick={() => void saveMerged(session, sideOf)}>
          Save the merge
        </button>
      </div>
    </Modal>
  );
};

/** Asks which side counts where a save overlaps with that of another user. */
export const ConflictDialog = ({ session }: { session: EditorSession }) => {
  const conflict = useStore(session.conflict);
  return conflict === undefined ? null : <Decisions session={session} conflict={conflict} />;
};
