import { Combobox } from '@base-ui/react/combobox';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { weft } from '../../api/client';

/** A workflow by id and name. */
export interface NamedWorkflow {
  readonly id: string;
  readonly name: string;
}

const MAX_FOUND = 20;

const useFound = (text: string): readonly NamedWorkflow[] =>
  useQuery({
    queryKey: ['search', 'workflows', text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { summary: true, limit: MAX_FOUND, ...(text === '' ? {} : { search: text }) };
      const { data } = await weft.call('listWorkflows', { query, signal });
      return data.map(({ id, name }): NamedWorkflow => ({ id, name }));
    },
  }).data ?? [];

/** Chooses a workflow by its name. */
export const WorkflowField = ({
  label,
  value,
  change,
  hint,
}: {
  label: string;
  value: NamedWorkflow | null;
  change: (workflow: NamedWorkflow | null) => void;
  hint?: string;
}) => {
  const id = useId();
  const [text, setText] = useState(value?.name ?? '');
  const found = useFound(useDeferredValue(text === value?.name ? '' : text.trim()));
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <Combobox.Root
        items={found}
        filter={null}
        value={value}
        onValueChange={change}
        inputValue={text}
        onInputValueChange={setText}
        itemToStringLabel={({ name }: NamedWorkflow) => name}
        isItemEqualToValue={(one: NamedWorkflow, other: NamedWorkflow) => one.id === other.id}
      >
        <span className="field">
          <Combobox.Input
            id={id}
            placeholder="Name of a workflow"
            aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          />
        </span>
        <Combobox.Portal>
          <Combobox.Positioner className="floating above" sideOffset={4} align="start">
            <Combobox.Popup className="menu">
              <Combobox.Empty className="soft">
                <span className="pad">No workflow has this name.</span>
              </Combobox.Empty>
              <Combobox.List>
                {(workflow: NamedWorkflow) => (
                  <Combobox.Item key={workflow.id} value={workflow} className="option">
                    <span className="clip">{workflow.name}</span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
};
