import { useId, useState } from 'react';
import { Icon } from '../icon';

/** A text filter that applies with Enter; an emptied one applies immediately. */
export const FilterField = ({
  label,
  placeholder,
  value,
  suggestions = [],
  change,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  suggestions?: readonly string[];
  change: (value: string | undefined) => void;
}) => {
  const id = useId();
  const [text, setText] = useState(value ?? '');
  return (
    <form
      className="datafilter"
      onSubmit={(event) => {
        event.preventDefault();
        change(text.trim() === '' ? undefined : text.trim());
      }}
    >
      <label className="field">
        <Icon name="search" />
        <span className="sr">{label}</span>
        <input
          type="search"
          value={text}
          maxLength={200}
          placeholder={placeholder}
          list={suggestions.length === 0 ? undefined : id}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === '' && value !== undefined) change(undefined);
          }}
        />
      </label>
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </form>
  );
};
