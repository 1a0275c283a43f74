import { Icon } from '../../../../ui/icon';
import { useEdits } from '../form-context';

/** One of several chosen values. */
export interface Chip {
  readonly key: string;
  readonly label: string;
  readonly remove: () => void;
}

/** Chosen values, each with a button that removes it. */
export const Chips = ({ label, chips }: { label: string; chips: readonly Chip[] }) => {
  const { isReadOnly } = useEdits();
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label={label}>
      {chips.map(({ key, label: text, remove }) => (
        <li key={key} className="chip">
          <span className="clip" title={text}>
            {text}
          </span>
          {!isReadOnly && (
            <button type="button" className="btn quiet icon tiny" aria-label={`Remove ${text}`} onClick={remove}>
              <Icon name="close" size={12} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};
