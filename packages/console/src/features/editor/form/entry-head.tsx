import type { Path } from '@weft/workflow-edit';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/icon';
import { useEdits } from './form-context';

/** Title of an entry of a list, with the buttons that move and remove it. */
export const EntryHead = ({
  label,
  path,
  at,
  count,
  isList = true,
  children,
}: {
  label: string;
  /** Path of the list, or of the entry where there is only one. */
  path: Path;
  at: number;
  count: number;
  isList?: boolean;
  /** Stands in place of the title. */
  children?: ReactNode;
}) => {
  const { set, swap, isReadOnly } = useEdits();
  return (
    <div className="flh">
      {children ?? <b className="grow clip">{label}</b>}
      {isList && count > 1 && !isReadOnly && (
        <>
          <button
            type="button"
            className="btn quiet icon sm"
            aria-label={`Move ${label} up`}
            disabled={at === 0}
            onClick={() => swap(path, [at - 1, at])}
          >
            <Icon name="up" size={12} />
          </button>
          <button
            type="button"
            className="btn quiet icon sm"
            aria-label={`Move ${label} down`}
            disabled={at + 1 >= count}
            onClick={() => swap(path, [at, at + 1])}
          >
            <Icon name="down" size={12} />
          </button>
        </>
      )}
      {!isReadOnly && (
        <button
          type="button"
          className="btn quiet icon sm"
          aria-label={`Remove ${label}`}
          onClick={() => set(isList ? [...path, at] : path, undefined)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </div>
  );
};
