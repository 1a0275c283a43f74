import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { MAX_SEARCH, type OptionsSource, type ServiceOption } from '../../../../api/node-options';
import { Icon } from '../../../../ui/icon';
import { ListProblemLine } from './list-problem-line';
import { listProblemOf } from './list-problem';
import type { SourceState } from './options-source';
import { matchesText, useServiceOptions } from './use-service-options';

/** Effects of the options of a panel. */
export interface PanelActions {
  readonly isChosen: (option: ServiceOption) => boolean;
  readonly choose: (option: ServiceOption) => void;
  /** Use of a typed text that is no option, such as `Use {text} as id`; absent: none. */
  readonly typed?: { readonly label: (text: string) => string; readonly use: (text: string) => void };
  /** Further buttons below the options. @param refocus moves the focus to the search, for buttons that disappear */
  readonly more?: (shown: readonly ServiceOption[], refocus: () => void) => ReactNode;
  /** Closes the panel; the focus returns to the button that opened it. */
  readonly close: () => void;
}

interface PanelProps extends PanelActions {
  /** Name of the field. */
  readonly label: string;
  readonly id: string;
}

interface Entry {
  readonly key: string;
  readonly text: string;
  readonly hint: string | undefined;
  readonly isChosen: boolean;
  readonly act: () => void;
}

const entriesOf = (options: readonly ServiceOption[], text: string, actions: PanelActions): readonly Entry[] => {
  const { isChosen, choose, typed } = actions;
  const listed = options.map((option, index): Entry => ({
    key: `${index} ${JSON.stringify(option.value)}`,
    text: option.label,
    hint: option.label === String(option.value) ? undefined : String(option.value),
    isChosen: isChosen(option),
    act: () => choose(option),
  }));
  const given = text.trim();
  if (typed === undefined || given === '' || options.some(({ value }) => String(value) === given)) return listed;
  return [
    ...listed,
    { key: 'typed', text: typed.label(given), hint: undefined, isChosen: false, act: () => typed.use(given) },
  ];
};

/** The entry that Enter chooses unless the user has moved: one that contains the text, or the typed text; -1: none. */
const firstOf = (entries: readonly Entry[], [first]: readonly ServiceOption[], text: string): number =>
  first !== undefined && matchesText(first, text.trim()) ? 0 : entries.findIndex(({ key }) => key === 'typed');

/** Keeps the active option in view. */
const useShown = (list: RefObject<HTMLElement | null>, at: number): void => {
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);
};

const countText = (count: number, hasMore: boolean): string =>
  count === 0 ? 'Nothing found.' : `${count}${hasMore ? ' or more' : ''} found.`;

const Options = ({ label, id, source, ...actions }: PanelProps & { source: OptionsSource | undefined }) => {
  const [text, setText] = useState('');
  const [active, setActive] = useState<number>();
  const { options, error, isLoading, hasMore, loadMore, retry } = useServiceOptions(source, text);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const entries = entriesOf(options, text, actions);
  const at = Math.min(active ?? firstOf(entries, options, text), entries.length - 1);
  useEffect(() => input.current?.focus(), []);
  useShown(list, at);
  const move = (to: number): void => {
    if (to >= entries.length) loadMore();
    setActive(Math.max(0, Math.min(to, entries.length - 1)));
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (step !== undefined) move(step);
    else if (event.key === 'Enter') {
      const entry = entries[at];
      // Options for what was typed may follow.
      if (entry?.key !== 'typed' || !isLoading) entry?.act();
    } else return;
    event.preventDefault();
  };
  const problem = error === undefined ? undefined : listProblemOf(error);
  return (
    <>
      <span className="field">
        <Icon name="search" />
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          aria-label={`Search ${label}`}
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_SEARCH}
          placeholder={source === undefined ? 'Type a value' : 'Search'}
          value={text}
          onKeyDown={onKey}
          onChange={({ target }) => {
            setText(target.value);
            setActive(undefined);
          }}
        />
      </span>
      <div ref={list} id={listId} className="olist" role="listbox" aria-label={label} aria-busy={isLoading}>
        {entries.map(({ key, text: shown, hint, isChosen, act }, index) => (
          <div
            key={key}
            id={`${listId}-${index}`}
            data-at={index}
            role="option"
            aria-selected={isChosen}
            className={index === at ? 'cur' : undefined}
            // The focus stays in the search.
            onMouseDown={(event) => event.preventDefault()}
            onClick={act}
          >
            <span className="clip grow" title={shown}>
              {shown}
            </span>
            {hint !== undefined && <code className="faint clip">{hint}</code>}
            {isChosen && <Icon name="check" />}
          </div>
        ))}
      </div>
      {problem !== undefined && <ListProblemLine problem={problem} retry={retry} credentialId={source?.credentialId} />}
      <div className="ofoot">
        <span className="faint grow" role="status">
          {isLoading
            ? 'Loading …'
            : problem === undefined && source !== undefined && countText(options.length, hasMore)}
        </span>
        {hasMore && (
          <button
            type="button"
            className="btn sm"
            onClick={() => {
              loadMore();
              input.current?.focus();
            }}
          >
            Load more
          </button>
        )}
        {actions.more?.(options, () => document.getElementById(id)?.focus())}
      </div>
    </>
  );
};

const NO_CREDENTIAL = { text: 'Choose a credential of this node first.', next: 'none' } as const;

/** Options of a service, below the field that they are for: search, list, and what to do if there are none. */
export const OptionPanel = ({ state, ...props }: PanelProps & { state: SourceState }) => (
  <div
    className="opanel"
    role="group"
    aria-label={`Options of ${props.label}`}
    onKeyDown={(event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      props.close();
    }}
  >
    <Options {...props} source={state.kind === 'source' ? state.source : undefined} />
    {state.kind === 'noCredential' && <ListProblemLine problem={NO_CREDENTIAL} />}
  </div>
);
