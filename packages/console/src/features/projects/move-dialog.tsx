import { type ReactNode, useState } from 'react';
import { useOwners } from '../../api/owners';
import { FormDialog } from '../../ui/forms/form';
import { SelectField } from '../../ui/forms/fields';

/** Asks for the project or user that something is moved to. */
export const MoveDialog = ({
  what,
  ownerId,
  move,
  close,
  children,
}: {
  /** Names it, such as `3 workflows`. */
  what: string;
  /** The current owner, which is not offered. */
  ownerId?: string;
  move: (ownerId: string) => Promise<void>;
  close: () => void;
  children?: ReactNode;
}) => {
  const choices = useOwners().own.filter(([id]) => id !== ownerId);
  const [chosen, setChosen] = useState<string>();
  const destination = chosen ?? choices[0]?.[0];
  return (
    <FormDialog
      title={`Move ${what}`}
      action="Move"
      close={close}
      isDisabled={destination === undefined}
      submit={async () => {
        if (destination !== undefined) await move(destination);
      }}
    >
      {destination === undefined ? (
        <p className="soft">There is no other project whose contents you may change.</p>
      ) : (
        <SelectField label="To" value={destination} change={setChosen} choices={choices} />
      )}
      {children}
    </FormDialog>
  );
};
