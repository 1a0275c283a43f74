/** A filter with a few choices. */
export const Picker = ({
  label,
  value,
  choices,
  all,
  change,
}: {
  label: string;
  value: string | undefined;
  choices: readonly (readonly [string, string])[];
  /** Text of the choice that filters nothing. */
  all: string;
  change: (value: string | undefined) => void;
}) => (
  <label className={`picker${value === undefined ? '' : ' on'}`}>
    <span className="sr">{label}</span>
    <select value={value ?? ''} onChange={({ target }) => change(target.value === '' ? undefined : target.value)}>
      <option value="">{all}</option>
      {choices.map(([word, text]) => (
        <option key={word} value={word}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
