import type { CredentialField, CredentialType } from '@weft/client';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/forms/fields';
import { type FieldValues, isLong } from './field-values';

interface FieldProps {
  readonly field: CredentialField;
  readonly value: string | boolean;
  readonly change: (value: string | boolean) => void;
  /** True: an empty secret stays as it is stored. */
  readonly keepsSecrets: boolean;
}

const Field = ({ field, value, change, keepsSecrets }: FieldProps) => {
  const { name, label, type, required, secret, options = [], help } = field;
  const isKept = secret && keepsSecrets;
  const common = {
    name: `data.${name}`,
    label: required ? label : `${label} (optional)`,
    isRequired: required && !isKept,
    ...(isKept
      ? { hint: help === undefined ? 'Empty: it stays as it is.' : `${help} Empty: it stays as it is.` }
      : help === undefined
        ? {}
        : { hint: help }),
  };
  if (typeof value === 'boolean') return <CheckField label={label} value={value} change={change} hint={help} />;
  if (type === 'options')
    return (
      <SelectField
        {...common}
        value={value}
        change={change}
        choices={[
          ...(options.includes(value) ? [] : [['', 'Choose …'] as const]),
          ...options.map((one) => [one, one] as const),
        ]}
      />
    );
  if (isLong(field))
    return (
      <TextArea {...common} value={value} change={change} isMasked={secret && type !== 'json'} maxLength={200_000} />
    );
  return (
    <TextField
      {...common}
      value={value}
      change={change}
      type={secret ? 'password' : type === 'number' ? 'number' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      maxLength={20_000}
      isCode={!secret}
      {...(isKept ? { placeholder: '••••••••' } : {})}
    />
  );
};

/** The fields of a credential type. */
export const CredentialFields = ({
  type,
  values,
  change,
  keepsSecrets = false,
}: {
  type: CredentialType;
  values: FieldValues;
  change: (values: FieldValues) => void;
  keepsSecrets?: boolean;
}) => (
  <>
    {type.fields.map((field) => (
      <Field
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        keepsSecrets={keepsSecrets}
        change={(value) => change({ ...values, [field.name]: value })}
      />
    ))}
  </>
);
