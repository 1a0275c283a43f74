import { blankCondition, blankFilter, type FormCondition, operatorOf } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { newId } from '../../../ui/values/new-id';
import { EntryHead } from './entry-head';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import { useFocusAdded } from './use-focus-added';
import type { ControlProps } from './simple-controls';

const TYPE_LABELS: ReadonlyMap<string, string> = new Map([
  ['string', 'String'],
  ['number', 'Number'],
  ['boolean', 'Boolean'],
  ['dateTime', 'Date and time'],
  ['array', 'Array'],
  ['object', 'Object'],
]);

type FilterProps = ControlProps<'filter'>;

/** Type and operation of a condition, such as `Number: is greater than`. */
const Operator = ({
  condition,
  operations,
}: {
  condition: FormCondition;
  operations: FilterProps['control']['operations'];
}) => {
  const { set } = useEdits();
  const { type, operation, path, error } = condition;
  const isKnown = operations.some(([name, list]) => name === type && list.some(({ value }) => value === operation));
  const change = (text: string): void => {
    const [nextType = '', next = ''] = text.split('.');
    set([...path, 'operator'], operatorOf(Object.fromEntries(operations), nextType, next));
  };
  return (
    <>
      <select
        className="tin"
        aria-label="Comparison"
        aria-invalid={error !== undefined}
        value={`${type}.${operation}`}
        onChange={({ target }) => change(target.value)}
      >
        {!isKnown && <option value={`${type}.${operation}`}>{`${type}: ${operation} (unknown)`}</option>}
        {operations.map(([name, list]) => (
          <optgroup key={name} label={TYPE_LABELS.get(name) ?? name}>
            {list.map(({ value, label }) => (
              <option key={value} value={`${name}.${value}`}>
                {TYPE_LABELS.get(name) ?? name}: {label.charAt(0).toLowerCase() + label.slice(1)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {error !== undefined && <p className="st error wraps">{error}</p>}
    </>
  );
};

/** Conditions, all or one of which must hold. */
export const FilterControl = ({ field, control }: FilterProps) => {
  const { set, isReadOnly } = useEdits();
  const { combinator, conditions, ignoresCase, operations } = control;
  const list = [...field.path, 'conditions'];
  const { inside, expect } = useFocusAdded<HTMLUListElement>();
  const add = (): void => {
    expect(`:scope > :nth-child(${conditions.length + 1}) > .fl`);
    const condition = blankCondition(newId());
    const stored = field.stored;
    if (typeof stored === 'object' && stored !== null && 'conditions' in stored)
      set([...list, conditions.length], condition);
    else set(field.path, { ...blankFilter(), conditions: [condition] });
  };
  return (
    <div className="nest" role="group" aria-label={field.descriptor.label}>
      {conditions.length > 1 && (
        <select
          className="tin"
          aria-label="Conditions that must hold"
          value={combinator}
          onChange={({ target }) => set([...field.path, 'combinator'], target.value)}
        >
          <option value="and">All conditions must hold</option>
          <option value="or">One of the conditions must hold</option>
        </select>
      )}
      <ul className="entries" ref={inside}>
        {conditions.map((condition, at) => (
          <li key={condition.key} className="asg" aria-label={`Condition ${at + 1}`}>
            <EntryHead label={`Condition ${at + 1}`} path={list} at={at} count={conditions.length} />
            <FieldRow field={condition.left} isBare nameInMenus={`condition ${at + 1}, first value`} />
            <Operator condition={condition} operations={operations} />
            {condition.right !== undefined && (
              <FieldRow field={condition.right} isBare nameInMenus={`condition ${at + 1}, second value`} />
            )}
          </li>
        ))}
      </ul>
      {ignoresCase && <p className="faint">Upper and lower case are equal in these conditions.</p>}
      {conditions.length === 0 && <p className="faint">Without conditions, every item passes.</p>}
      {!isReadOnly && (
        <button type="button" className="btn sm add" onClick={add}>
          <Icon name="plus" size={12} />
          Add condition
        </button>
      )}
    </div>
  );
};
