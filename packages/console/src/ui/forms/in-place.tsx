import { useState } from 'react';
import { errorText } from '../values/format';
import { Icon } from '../icon';
import { notify } from '../overlays/toast';

/** A value that becomes a field when it is pressed. Enter saves, Escape leaves it as it was. */
export const InPlace = <Tag,>({
  label,
  value,
  begin,
  save,
  maxLength,
}: {
  /** Names the value. */
  label: string;
  value: string;
  /** Called when editing begins, for the version that is edited. */
  begin: () => Promise<Tag>;
  save: (value: string, tag: Tag) => Promise<void>;
  maxLength: number;
}) => {
  const [draft, setDraft] = useState<{ readonly text: string; readonly tag: Promise<Tag> }>();
  const [isBusy, setBusy] = useState(false);
  if (draft === undefined)
    return (
      <button
        type="button"
        className="inplace"
        aria-label={`${label}: ${value === '' ? 'empty' : value}. Edit`}
        onClick={() => setDraft({ text: value, tag: begin() })}
      >
        <code>{value === '' ? <span className="faint">empty</span> : value}</code>
        <Icon name="pen" size={12} />
      </button>
    );
  const finish = async (): Promise<void> => {
    if (draft.text === value) return setDraft(undefined);
    setBusy(true);
    try {
      await save(draft.text, await draft.tag);
      setDraft(undefined);
    } catch (error) {
      notify('It was not saved', 'error', errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="inplaceform"
      onSubmit={(event) => {
        event.preventDefault();
        void finish();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setDraft(undefined);
      }}
    >
      <span className="field codefield grow">
        <input
          autoFocus
          aria-label={label}
          value={draft.text}
          maxLength={maxLength}
          spellCheck={false}
          onChange={({ target }) => setDraft({ ...draft, text: target.value })}
        />
      </span>
      <button type="submit" className="btn sm" disabled={isBusy}>
        Save
      </button>
      <button type="button" className="btn sm quiet" onClick={() => setDraft(undefined)}>
        Cancel
      </button>
    </form>
  );
};
