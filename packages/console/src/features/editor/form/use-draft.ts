import type { Json } from '@weft/node-catalogue/definitions';
import type { Typed } from '@weft/workflow-edit/form';
import { useState } from 'react';

interface Draft {
  readonly text: string;
  /** The stored text that the draft belongs to: another one, such as after undo, replaces the draft. */
  readonly stored: string;
  readonly problem: string | undefined;
}

/** Text that is typed and not always a value. */
export interface TypedText {
  readonly text: string;
  /** Why the text is not a value. */
  readonly problem: string | undefined;
  readonly type: (text: string) => void;
}

/**
 * Text of a value while it is typed. A text that is a value is committed at once; another one stays, with the reason.
 * @param stored text of the stored value
 * @param textOf gives the text under which a committed value is stored
 */
export const useDraft = (
  stored: string,
  read: (text: string) => Typed,
  textOf: (value: Json) => string,
  commit: (value: Json) => void,
): TypedText => {
  const [draft, setDraft] = useState<Draft>();
  const isCurrent = draft !== undefined && draft.stored === stored;
  return {
    text: isCurrent ? draft.text : stored,
    problem: isCurrent ? draft.problem : undefined,
    type: (text) => {
      const typed = read(text);
      if (!typed.isValid) return setDraft({ text, stored, problem: typed.why });
      setDraft({ text, stored: textOf(typed.value), problem: undefined });
      commit(typed.value);
    },
  };
};
