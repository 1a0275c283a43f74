import { changeLocator, type FormField, insertKey, takesKeys } from '@weft/workflow-edit/form';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { createStore } from '../../../ui/store';
import { useEdits } from '../form/form-context';

/** A key of an item that is mapped to a field. */
export interface MappedKey {
  readonly expression: string;
  /** Its last step, as a name for a new field. */
  readonly name: string;
}

/** A place of the open form that a key can be inserted into. */
export interface MappingTarget {
  readonly key: string;
  readonly label: string;
  readonly insert: (mapped: MappedKey) => void;
}

/** The places of the open form, in their order. */
export const mappingTargets = createStore<readonly MappingTarget[]>([]);

const DRAGGED = 'application/x-weft-key';

/** Starts to drag a key; editors of text take its expression. */
export const dragKey = ({ dataTransfer }: DragEvent, mapped: MappedKey): void => {
  dataTransfer.setData(DRAGGED, JSON.stringify(mapped));
  dataTransfer.setData('text/plain', `{{ ${mapped.expression} }}`);
  dataTransfer.effectAllowed = 'copy';
};

const droppedKey = ({ dataTransfer }: DragEvent): MappedKey | undefined => {
  try {
    const value: unknown = JSON.parse(dataTransfer.getData(DRAGGED));
    if (typeof value !== 'object' || value === null || !('expression' in value) || !('name' in value)) return undefined;
    return { expression: String(value.expression), name: String(value.name) };
  } catch {
    return undefined;
  }
};

interface Drop {
  readonly isOver: boolean;
  readonly handlers: {
    readonly onDragOver?: (event: DragEvent) => void;
    readonly onDragLeave?: () => void;
    readonly onDrop?: (event: DragEvent) => void;
  };
}

/** Offers a place for keys; undefined offers none. @param isListed false: it takes drops, and menus leave it out */
export const useMappingTarget = (target: MappingTarget | undefined, isListed = true): Drop => {
  const [isOver, setOver] = useState(false);
  const latest = useRef(target);
  useEffect(() => {
    latest.current = target;
  });
  const { key, label } = target ?? {};
  useEffect(() => {
    if (key === undefined || label === undefined || !isListed) return undefined;
    const offered = { key, label, insert: (mapped: MappedKey) => latest.current?.insert(mapped) };
    mappingTargets.set([...mappingTargets.get(), offered]);
    return () => mappingTargets.set(mappingTargets.get().filter((one) => one !== offered));
  }, [key, label, isListed]);
  if (target === undefined) return { isOver: false, handlers: {} };
  return {
    isOver,
    handlers: {
      onDragOver: (event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        setOver(false);
        event.stopPropagation();
        // An editor of text has put it where it was dropped.
        if (event.defaultPrevented) return;
        const mapped = droppedKey(event);
        if (mapped === undefined) return;
        event.preventDefault();
        target.insert(mapped);
      },
    },
  };
};

/** Controls into which people insert keys; the others have a few fixed values. */
const LISTED: ReadonlySet<FormField['control']['kind']> = new Set([
  'expression',
  'text',
  'number',
  'dateTime',
  'json',
  'locator',
]);

/** Offers a field for keys, if it can hold an expression. @param name of the field in menus; null leaves it out */
export const useDropTarget = (field: FormField, name: string | null = field.descriptor.label): Drop => {
  const { set, isReadOnly, endTyping } = useEdits();
  const { control } = field;
  const target = control.kind === 'locator' ? control.inner : field;
  return useMappingTarget(
    isReadOnly || !takesKeys(field)
      ? undefined
      : {
          key: field.key,
          label: name ?? '',
          insert: ({ expression }) => {
            endTyping();
            const value = insertKey(target, expression);
            set(field.path, control.kind === 'locator' ? changeLocator(field, { value }) : value);
          },
        },
    name !== null && LISTED.has(control.kind),
  );
};
