import { ASSIGNMENT_TYPES, blankAssignment, type FormAssignment } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { EntryHead } from './entry-head';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import type { ControlProps } from './simple-controls';

const Row = ({ row }: { row: FormAssignment }) => {
  const { set } = useEdits();
  const isKnown = ASSIGNMENT_TYPES.some(([type]) => type === row.type);
  return (
    <>
      <div className="asg-h">
        <FieldRow field={row.name} isBare />
        <select
          className="tin"
          aria-label="Type"
          value={row.type}
          onChange={({ target }) => set([...row.path, 'type'], target.value)}
        >
          {!isKnown && <option value={row.type}>{row.type} (unknown)</option>}
          {ASSIGNMENT_TYPES.map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <FieldRow field={row.value} isBare />
    </>
  );
};

/** Fields to set: name, type and value of each. */
export const AssignmentsControl = ({ field, control: { rows } }: ControlProps<'assignments'>) => {
  const { set, isReadOnly } = useEdits();
  const list = [...field.path, 'assignments'];
  return (
    <div className="nest" role="group" aria-label={field.descriptor.label}>
      <ul className="entries">
        {rows.map((row, at) => {
          const name = typeof row.name.value === 'string' && row.name.value !== '' ? row.name.value : `field ${at + 1}`;
          return (
            <li key={row.key} className="asg" aria-label={name}>
              <EntryHead label={name} path={list} at={at} count={rows.length} />
              <Row row={row} />
            </li>
          );
        })}
      </ul>
      {!isReadOnly && (
        <button
          type="button"
          className="btn sm add"
          onClick={() => set([...list, rows.length], blankAssignment(crypto.randomUUID()))}
        >
          <Icon name="plus" size={12} />
          Add field
        </button>
      )}
    </div>
  );
};
