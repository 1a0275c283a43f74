import { ASSIGNMENT_TYPES, blankAssignment, type FormAssignment } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { newId } from '../../../ui/values/new-id';
import { useMappingTarget } from '../data/mapping';
import { EntryHead } from './entry-head';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import { useFocusAdded } from './use-focus-added';
import type { ControlProps } from './simple-controls';

/** Name and type of a field that is set. */
const NameAndType = ({ row: { name, path, type } }: { row: FormAssignment }) => {
  const { set } = useEdits();
  const isKnown = ASSIGNMENT_TYPES.some(([known]) => known === type);
  return (
    <>
      <FieldRow field={name} isBare nameInMenus={null} />
      <select
        className="tin sm"
        aria-label="Type"
        value={type}
        onChange={({ target }) => set([...path, 'type'], target.value)}
      >
        {!isKnown && <option value={type}>{type} (unknown)</option>}
        {ASSIGNMENT_TYPES.map(([known, label]) => (
          <option key={known} value={known}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
};

/** Fields to set: name, type and value of each. */
export const AssignmentsControl = ({ field, control: { rows } }: ControlProps<'assignments'>) => {
  const { set, isReadOnly } = useEdits();
  const list = [...field.path, 'assignments'];
  const { inside, expect } = useFocusAdded<HTMLUListElement>();
  const { isOver, handlers } = useMappingTarget(
    isReadOnly
      ? undefined
      : {
          key: `${field.key} new`,
          label: 'a new field',
          insert: ({ name, expression }) =>
            set([...list, rows.length], blankAssignment(newId(), name, `={{ ${expression} }}`)),
        },
  );
  return (
    <div className={`nest${isOver ? ' over' : ''}`} role="group" aria-label={field.descriptor.label} {...handlers}>
      <ul className="entries" ref={inside}>
        {rows.map((row, at) => {
          const name = typeof row.name.value === 'string' && row.name.value !== '' ? row.name.value : `field ${at + 1}`;
          return (
            <li key={row.key} className="asg" aria-label={name}>
              <EntryHead label={name} path={list} at={at} count={rows.length}>
                <NameAndType row={row} />
              </EntryHead>
              <FieldRow field={row.value} isBare nameInMenus={name} />
            </li>
          );
        })}
      </ul>
      {!isReadOnly && (
        <button
          type="button"
          className="btn sm add"
          onClick={() => {
            expect(`:scope > :nth-child(${rows.length + 1})`);
            set([...list, rows.length], blankAssignment(newId()));
          }}
        >
          <Icon name="plus" size={12} />
          Add field
        </button>
      )}
    </div>
  );
};
