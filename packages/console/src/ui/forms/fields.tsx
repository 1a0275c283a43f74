import { WeftError } from '@weft/client';
import { createContext, type HTMLInputTypeAttribute, type ReactNode, useContext, useId } from 'react';
import { memberOf } from '../values/json';

/** Names of the fields that the server has refused. */
export const RefusedFields = createContext<ReadonlySet<string>>(new Set());

/** Names of the fields in an error of the API. */
export const refusedFieldsOf = (error: unknown): ReadonlySet<string> => {
  const fields: unknown = error instanceof WeftError ? error.details['fields'] : undefined;
  const names = Array.isArray(fields) ? fields.map((one) => memberOf(one, 'field')) : [];
  return new Set(names.filter((name) => typeof name === 'string'));
};

interface FieldProps {
  readonly label: string;
  /** Name in the request, to mark the field if the server refuses it. */
  readonly name?: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly required: boolean;
}

/** A label, a control and a hint that belong together. */
const Labelled = ({
  label,
  name,
  hint,
  isRequired = false,
  children,
}: FieldProps & { children: (wiring: Wiring) => ReactNode }) => {
  const id = useId();
  const isRefused = useContext(RefusedFields).has(name ?? '');
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
        'aria-invalid': isRefused ? true : undefined,
        required: isRequired,
      })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
};

/** One line of text. */
export const TextField = ({
  value,
  change,
  type = 'text',
  maxLength,
  minLength,
  pattern,
  autoComplete = 'off',
  placeholder,
  isReadOnly = false,
  isCode = false,
  ...field
}: FieldProps & {
  value: string;
  change: (value: string) => void;
  type?: HTMLInputTypeAttribute;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  autoComplete?: string;
  placeholder?: string;
  isReadOnly?: boolean;
  isCode?: boolean;
}) => (
  <Labelled {...field}>
    {(wiring) => (
      <span className={`field${isCode ? ' codefield' : ''}`}>
        <input
          {...wiring}
          type={type}
          value={value}
          maxLength={maxLength}
          minLength={minLength}
          pattern={pattern}
          autoComplete={autoComplete}
          placeholder={placeholder}
          readOnly={isReadOnly}
          spellCheck={isCode ? false : undefined}
          onChange={({ target }) => change(target.value)}
        />
      </span>
    )}
  </Labelled>
);

/** Several lines of text. */
export const TextArea = ({
  value,
  change,
  rows = 4,
  isMasked = false,
  placeholder,
  maxLength,
  ...field
}: FieldProps & {
  value: string;
  change: (value: string) => void;
  rows?: number;
  /** Shows dots in place of the text. */
  isMasked?: boolean;
  placeholder?: string;
  maxLength?: number;
}) => (
  <Labelled {...field}>
    {(wiring) => (
      <textarea
        {...wiring}
        className={`area${isMasked ? ' masked' : ''}`}
        rows={rows}
        value={value}
        maxLength={maxLength}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change(target.value)}
      />
    )}
  </Labelled>
);

/** One of a few values. */
export const SelectField = ({
  value,
  change,
  choices,
  ...field
}: FieldProps & {
  value: string;
  change: (value: string) => void;
  choices: readonly (readonly [value: string, text: string])[];
}) => (
  <Labelled {...field}>
    {(wiring) => (
      <select {...wiring} className="select" value={value} onChange={({ target }) => change(target.value)}>
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** Yes or no. */
export const CheckField = ({
  label,
  value,
  change,
  hint,
}: {
  label: string;
  value: boolean;
  change: (value: boolean) => void;
  hint?: ReactNode;
}) => {
  const id = useId();
  return (
    <div className="labelled">
      <label className="line">
        <input
          type="checkbox"
          checked={value}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={({ target }) => change(target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <span id={id} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
};
