import type { Json } from '@weft/node-catalogue/definitions';
import { showPath } from '@weft/workflow-edit';
import type { FormField } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { MenuButton } from '../../../ui/overlays/menu';
import { FieldRow } from './field-row';
import { useEdits } from './form-context';
import { Others } from './others';
import type { ControlProps } from './simple-controls';

/** Optional fields: those that are set, and a menu of the others. */
export const CollectionControl = ({ field, control }: ControlProps<'collection'>) => {
  const { set, isReadOnly } = useEdits();
  const { fields, absent, others } = control;
  return (
    <div className="nest" role="group" aria-label={field.descriptor.label}>
      {fields.map((one: FormField) => (
        <FieldRow key={one.key} field={one} remove={() => set(one.path, undefined)} />
      ))}
      <Others values={others} title="Other" />
      {absent.length > 0 && !isReadOnly && (
        <MenuButton
          className="btn sm add"
          entries={absent.map((one) => ({
            label: one.label,
            isDisabled: one.refused !== undefined,
            ...(one.refused === undefined ? {} : { hint: one.refused }),
            act: () => set([...field.path, one.name], one.default ?? BLANKS[one.type]),
          }))}
        >
          <Icon name="plus" size={12} />
          Add option
          <span className="sr"> to {showPath(field.path)}</span>
        </MenuButton>
      )}
    </div>
  );
};

/** The first value of a field without a default, by its type. */
const BLANKS: Readonly<Record<FormField['descriptor']['type'], Json>> = {
  string: '',
  number: 0,
  boolean: false,
  options: '',
  multiOptions: [],
  json: '',
  dateTime: '',
  collection: {},
  fixedCollection: {},
  filter: {},
  assignmentCollection: {},
  resourceLocator: '',
  resourceMapper: { mappingMode: 'defineBelow', value: {} },
};
