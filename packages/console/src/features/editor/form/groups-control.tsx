import type { FormEntry, FormGroup } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import { useFocusAdded } from './use-focus-added';
import { EntryHead } from './entry-head';
import { Others } from './others';
import type { ControlProps } from './simple-controls';

const Entry = ({ group, entry, at }: { group: FormGroup; entry: FormEntry; at: number }) => {
  const label = group.entries.length > 1 || group.isList ? `${group.group.label} ${at + 1}` : group.group.label;
  return (
    <li className="asg" aria-label={label}>
      <EntryHead label={label} path={group.path} at={at} count={group.entries.length} isList={group.isList} />
      {entry.fields.map((field) => (
        <FieldRow key={field.key} field={field} nameInMenus={`${field.descriptor.label} of ${label}`} />
      ))}
      <Others values={entry.others} title="Other" />
    </li>
  );
};

/** Named groups of fields, each once or as a list that can grow. */
export const GroupsControl = ({ field, control: { groups, others } }: ControlProps<'groups'>) => {
  const { set, isReadOnly } = useEdits();
  const { inside, expect } = useFocusAdded<HTMLDivElement>();
  const add = (group: FormGroup): void => {
    const entry = `:nth-child(${group.entries.length + 1}) > .fl`;
    expect(`:scope > ul[data-group="${CSS.escape(group.group.name)}"] > ${entry}`);
    set(group.isList ? [...group.path, group.entries.length] : group.path, group.blank);
  };
  return (
    <div className="nest" role="group" aria-label={field.descriptor.label} ref={inside}>
      {groups.map((group) => (
        <ul
          key={group.group.name}
          className="entries"
          data-group={group.group.name}
          hidden={group.entries.length === 0}
        >
          {group.entries.map((entry, at) => (
            <Entry key={entry.key} group={group} entry={entry} at={at} />
          ))}
        </ul>
      ))}
      <Others values={others} title="Other" />
      {!isReadOnly && (
        <div className="adds">
          {groups
            .filter(({ canAdd }) => canAdd)
            .map((group) => (
              <button key={group.group.name} type="button" className="btn sm add" onClick={() => add(group)}>
                <Icon name="plus" size={12} />
                Add {group.group.label.toLowerCase()}
              </button>
            ))}
        </div>
      )}
    </div>
  );
};
