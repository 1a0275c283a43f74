import {
  addColumns,
  type MapperControl as Mapper,
  type OfferedColumn,
  removeColumn,
  setMappingMode,
  setMatching,
} from '@weft/workflow-edit/form';
import type { ServiceOption } from '../../../api/node-options';
import { Icon } from '../../../ui/icon';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import { Chips } from './options/chips';
import { PanelButton } from './options/choice-button';
import { OptionPanel, type PanelActions } from './options/option-panel';
import { useOptionsSource } from './options/options-source';
import { usePanel } from './options/use-panel';
import { Others } from './others';
import type { ControlProps } from './simple-controls';

const MODES: readonly (readonly [string, string])[] = [
  ['defineBelow', 'Map each column'],
  ['autoMapInputData', 'Map fields by their names'],
];

type MapperProps = ControlProps<'mapper'>;

const columnOf = ({ label, value }: ServiceOption): OfferedColumn => ({ name: String(value), label });

/** A button whose panel offers the columns of the table, and takes any other name. */
const ColumnButton = ({
  field,
  title,
  ...actions
}: { field: MapperProps['field']; title: string } & Omit<PanelActions, 'close'>) => {
  const { idOf } = useEdits();
  const id = `${idOf(field)}-${title.replaceAll(' ', '-')}`;
  const panel = usePanel(`${id}-choose`);
  const state = useOptionsSource(field, field.descriptor.list);
  return (
    <>
      <PanelButton panel={panel}>{title}</PanelButton>
      {panel.isOpen && <OptionPanel {...actions} id={id} label={title} state={state} close={panel.close} />}
    </>
  );
};

const Columns = ({ field, control: { columns, absent } }: MapperProps) => {
  const { set, isReadOnly } = useEdits();
  const add = (offered: readonly OfferedColumn[], isOffered: boolean): void =>
    set(field.path, addColumns(field.value, offered, isOffered));
  const isMapped = (name: string): boolean => columns.some((column) => column.name === name);
  return (
    <>
      {columns.map(({ name, field: column }) => (
        <FieldRow
          key={name}
          field={column}
          nameInMenus={`column ${column.descriptor.label}`}
          remove={() => set(field.path, removeColumn(field.value, name))}
        />
      ))}
      {columns.length === 0 && <p className="faint">No column is mapped yet.</p>}
      {!isReadOnly && absent.length > 0 && (
        <button
          type="button"
          className="btn sm add"
          onClick={() =>
            add(
              absent.map((name) => ({ name, label: name })),
              true,
            )
          }
        >
          <Icon name="plus" size={12} />
          Add the {absent.length === 1 ? 'other known column' : `${absent.length} other known columns`}
        </button>
      )}
      {!isReadOnly && (
        <ColumnButton
          field={field}
          title="Add column"
          isChosen={({ value }) => isMapped(String(value))}
          choose={(option) =>
            isMapped(String(option.value))
              ? set(field.path, removeColumn(field.value, String(option.value)))
              : add([columnOf(option)], true)
          }
          typed={{ label: (text) => `Add “${text}”`, use: (text) => add([{ name: text, label: text }], false) }}
          more={(shown, refocus) => {
            const others = shown.filter(({ value }) => !isMapped(String(value)));
            return (
              others.length > 1 && (
                <button
                  type="button"
                  className="btn sm"
                  onClick={() => {
                    add(others.map(columnOf), true);
                    refocus();
                  }}
                >
                  Add all {others.length}
                </button>
              )
            );
          }}
        />
      )}
    </>
  );
};

const Matching = ({ field, control: { matching } }: MapperProps) => {
  const { set, isReadOnly } = useEdits();
  const change = (next: readonly string[]): void => set(field.path, setMatching(field.value, next));
  const without = (name: string): readonly string[] => matching.filter((one) => one !== name);
  return (
    <div className="listedvalues" role="group" aria-label="Columns to match on">
      <p>
        <b>Columns to match on</b>
      </p>
      <p className="faint">A row is updated if it has the values of the item in these columns.</p>
      <Chips
        label="Chosen columns to match on"
        chips={matching.map((name) => ({ key: name, label: name, remove: () => change(without(name)) }))}
      />
      {!isReadOnly && (
        <ColumnButton
          field={field}
          title="Choose columns to match on"
          isChosen={({ value }) => matching.includes(String(value))}
          choose={({ value }) => {
            const name = String(value);
            change(matching.includes(name) ? without(name) : [...matching, name]);
          }}
          typed={{ label: (text) => `Match on “${text}”`, use: (text) => change([...matching, text]) }}
        />
      )}
    </div>
  );
};

const Conversion = ({ field, converts }: { field: MapperProps['field']; converts: boolean }) => {
  const { set } = useEdits();
  return (
    <label className="line">
      <input
        type="checkbox"
        checked={converts}
        onChange={({ target }) => set([...field.path, 'attemptToConvertTypes'], target.checked)}
      />
      Convert values to the types of their columns
    </label>
  );
};

/** Values for the columns of a table: by hand, or the fields of the items by their names. */
export const MapperControl = ({ field, control }: { field: MapperProps['field']; control: Mapper }) => {
  const { set } = useEdits();
  const { mode, canMatch, converts, others } = control;
  const isKnown = MODES.some(([name]) => name === mode);
  return (
    <div className="nest" role="group" aria-label={field.descriptor.label}>
      <select
        className="tin"
        aria-label="How columns are mapped"
        value={mode}
        onChange={({ target }) => set(field.path, setMappingMode(field.value, target.value))}
      >
        {!isKnown && <option value={mode}>{mode} (unknown)</option>}
        {MODES.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      {mode === 'autoMapInputData' ? (
        <p className="faint">Each field of an item is written to the column of the same name.</p>
      ) : (
        <Columns field={field} control={control} />
      )}
      {canMatch && <Matching field={field} control={control} />}
      {converts !== undefined && <Conversion field={field} converts={converts} />}
      <Others values={others} title="Other" />
    </div>
  );
};
