import { changeLocator, type FormField, toExpression, toFixed } from '@weft/workflow-edit/form';
import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../../../ui/icon';
import { useDropTarget } from '../data/mapping';
import { ExpressionField } from '../expression/expression-field';
import { AssignmentsControl } from './assignments-control';
import { CollectionControl } from './collection-control';
import { FilterControl } from './filter-control';
import { useEdits } from './form-context';
import { GroupsControl } from './groups-control';
import { JsonControl } from './json-control';
import { LocatorControl } from './locator-control';
import { MapperControl } from './mapper-control';
import { ListedControl } from './options/listed-control';
import { ListedValuesControl } from './options/listed-values-control';
import {
  ChecksControl,
  DateTimeControl,
  NumberControl,
  SelectControl,
  SwitchControl,
  TextControl,
} from './simple-controls';
import { usePreviewValue } from './use-preview-value';

/** The control of a field. */
const ControlOf = ({ field }: { field: FormField }) => {
  const { control, descriptor } = field;
  const { list } = descriptor;
  if (list !== undefined && (control.kind === 'text' || control.kind === 'select'))
    return <ListedControl field={field} list={list} />;
  if (list !== undefined && control.kind === 'checks')
    return <ListedValuesControl field={field} control={control} list={list} />;
  switch (control.kind) {
    case 'expression':
      return <ExpressionField field={field} text={control.text} />;
    case 'text':
      return <TextControl field={field} control={control} />;
    case 'number':
      return <NumberControl field={field} control={control} />;
    case 'switch':
      return <SwitchControl field={field} control={control} />;
    case 'select':
      return <SelectControl field={field} control={control} />;
    case 'checks':
      return <ChecksControl field={field} control={control} />;
    case 'dateTime':
      return <DateTimeControl field={field} control={control} />;
    case 'json':
      return <JsonControl field={field} control={control} />;
    case 'locator':
      return <LocatorControl field={field} control={control} />;
    case 'collection':
      return <CollectionControl field={field} control={control} />;
    case 'groups':
      return <GroupsControl field={field} control={control} />;
    case 'filter':
      return <FilterControl field={field} control={control} />;
    case 'assignments':
      return <AssignmentsControl field={field} control={control} />;
    case 'mapper':
      return <MapperControl field={field} control={control} />;
  }
};

/** Controls with one input that the label names; the others are groups with a label of their own. */
const hasOneInput = ({ control, descriptor }: FormField): boolean =>
  ['number', 'select', 'dateTime'].includes(control.kind) ||
  (control.kind === 'locator' && control.inner.control.kind !== 'expression') ||
  (control.kind === 'text' && !isCode(descriptor.editor));

const isCode = (editor: FormField['descriptor']['editor']): boolean =>
  editor !== undefined && editor !== 'cron' && editor !== 'multiline';

/** Switches between a fixed value and an expression. */
const ModeSwitch = ({ field }: { field: FormField }) => {
  const { set, endTyping, beginExpression } = useEdits();
  const preview = usePreviewValue(field);
  const target = field.control.kind === 'locator' ? field.control.inner : field;
  if (!target.canSwitch) return null;
  const isExpression = target.control.kind === 'expression';
  const toggle = (): void => {
    endTyping();
    const text = target.control.kind === 'expression' ? target.control.text : '';
    const isLocator = field.control.kind === 'locator';
    if (isExpression) {
      const fixed = toFixed(text, target.descriptor, preview());
      return set(field.path, isLocator ? changeLocator(field, { value: fixed ?? '' }) : fixed);
    }
    const expression = toExpression(target.value);
    const begun = { expression, cursor: expression.length - 1, typed: '' } as const;
    if (!isLocator) return beginExpression(target, begun);
    beginExpression(target, begun, { path: field.path, value: changeLocator(field, { value: expression }) });
  };
  return (
    <button
      type="button"
      className="fx"
      aria-pressed={isExpression}
      aria-label={`Expression for ${field.descriptor.label}`}
      title={isExpression ? 'Use a fixed value' : 'Use an expression'}
      onClick={toggle}
    />
  );
};

interface FieldRowProps {
  readonly field: FormField;
  /** Removes an optional field. */
  readonly remove?: () => void;
  /** True where the context names the field, so that its label is only read out. */
  readonly isBare?: boolean;
  /** Name of the field in menus; absent: its label; null: menus leave it out. */
  readonly nameInMenus?: string | null;
}

const Head = ({ field, remove, isBare, children }: FieldRowProps & { children: ReactNode }) => {
  const { idOf, isReadOnly } = useEdits();
  const { label, required } = field.descriptor;
  const text = (
    <>
      {label}
      {required === true && <span className="faint"> required</span>}
    </>
  );
  return (
    <div className={isBare === true ? 'flh bare' : 'flh'}>
      {hasOneInput(field) ? (
        <label className={isBare === true ? 'sr' : 'grow'} htmlFor={idOf(field)}>
          {text}
        </label>
      ) : (
        <span className={isBare === true ? 'sr' : 'grow'}>{text}</span>
      )}
      {children}
      {remove !== undefined && !isReadOnly && (
        <button type="button" className="btn quiet icon sm" aria-label={`Remove ${label}`} onClick={remove}>
          <Icon name="close" size={12} />
        </button>
      )}
    </div>
  );
};

/** One parameter: its label, its control, its messages. A key of an item can be dropped on it. */
export const FieldRow = ({ field, remove, isBare = false, nameInMenus }: FieldRowProps) => {
  const { isReadOnly, idOf } = useEdits();
  const [isExplained, setExplained] = useState(false);
  const helpId = useId();
  const drop = useDropTarget(field, nameInMenus);
  const { help, label, refused } = field.descriptor;
  const isSwitch = field.control.kind === 'switch';
  return (
    <div
      className={`fl${isBare ? ' inline' : isSwitch ? ' row' : ''}${drop.isOver ? ' over' : ''}`}
      data-field={field.key}
      onKeyDown={(event) => {
        if (event.key !== 'F1' || help === undefined || isBare) return;
        event.preventDefault();
        event.stopPropagation();
        setExplained(!isExplained);
      }}
      {...drop.handlers}
    >
      <Head field={field} isBare={isBare} {...(remove === undefined ? {} : { remove })}>
        {help !== undefined && !isBare && (
          <button
            type="button"
            className="btn quiet icon sm"
            aria-label={`About ${label}`}
            title="F1 in the field"
            // F1 does the same without a stop between two fields.
            tabIndex={-1}
            aria-expanded={isExplained}
            aria-controls={helpId}
            onClick={() => setExplained(!isExplained)}
          >
            <Icon name="help" size={12} />
          </button>
        )}
        {!isReadOnly && <ModeSwitch field={field} />}
      </Head>
      <ControlOf field={field} />
      {isExplained && (
        <p id={helpId} className="help">
          {help}
        </p>
      )}
      {refused !== undefined && field.stored === undefined && <p className="faint">Not supported: {refused}</p>}
      {field.error !== undefined && (
        <p className="st error wraps" id={`${idOf(field)}-error`}>
          <Icon name="error" size={12} />
          <span>{field.error}</span>
        </p>
      )}
    </div>
  );
};
