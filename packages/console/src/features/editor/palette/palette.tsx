import type { NodeType } from '@weft/client';
import { isAttachmentType } from '@weft/node-catalogue/definitions';
import { rankKinds, type RankedKind } from '@weft/workflow-edit';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { plural } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { KindTile } from '../../graph/kind-tile';
import { typeOfKind } from '../../graph/kinds';
import { addKind } from '../operations/add-node';
import { nounOf, withArticle } from '../operations/attachments';
import { KIND_DATA } from '../canvas/use-palette-drop';
import type { PaletteAnchor } from '../dialogs/dialog';
import { useEditor } from '../editor-context';
import { kindTable } from '../operations/kind-table';
import { focusNode } from '../operations/node-keys';
import { usesOf } from './uses';

/** Kinds that are listed; more are found by typing. */
const MAX_SHOWN = 150;
/** Frames within which a closing menu moves the focus. */
const FOCUS_FRAMES = 12;

/** Closes when the user presses elsewhere, and gives the focus back. */
const useDismiss = (close: () => void) => {
  const panel = useRef<HTMLDivElement>(null);
  const dismiss = useRef(close);
  useEffect(() => {
    dismiss.current = close;
  });
  useEffect(() => {
    const before = document.activeElement;
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Node && panel.current?.contains(target) === false) dismiss.current();
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      document.removeEventListener('pointerdown', onPress, true);
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return panel;
};

const Option = ({
  id,
  type,
  refused,
  isCurrent,
  choose,
}: {
  id: string;
  type: NodeType;
  refused: string | undefined;
  isCurrent: boolean;
  choose: () => void;
}) => (
  <li
    id={id}
    role="option"
    aria-selected={isCurrent}
    aria-disabled={refused !== undefined}
    className={`ed-kind${isCurrent ? ' on' : ''}`}
    draggable={refused === undefined}
    onDragStart={({ dataTransfer }) => {
      dataTransfer.setData(KIND_DATA, type.kind);
      dataTransfer.effectAllowed = 'copy';
    }}
    onClick={choose}
  >
    <KindTile kind={type.kind} type={type} />
    <span className="grow">
      <b>{type.label}</b>
      <small className={refused === undefined ? 'soft clip' : 'errtext'}>{refused ?? type.description}</small>
    </span>
    {isCurrent && refused === undefined && <kbd>Enter</kbd>}
  </li>
);

/** What the new node is connected to, in words. */
const purposeOf = ({ from, to, link }: PaletteAnchor): string => {
  if (link !== undefined) return `Insert between ${link.from} and ${link.to}`;
  if (from?.type !== undefined && isAttachmentType(from.type)) return `Add a node that uses ${from.node}`;
  if (to?.type !== undefined && isAttachmentType(to.type)) return `Add ${withArticle(nounOf(to.type))} to ${to.node}`;
  if (from !== undefined) return `Add after ${from.node}`;
  if (to !== undefined) return `Add before ${to.node}`;
  return 'Add node';
};

/** Finds a kind by its name and adds a node of it: by Enter, by a click, or by dragging it onto the canvas. */
export const Palette = ({ anchor, close }: { anchor: PaletteAnchor; close: () => void }) => {
  const editor = useEditor();
  const { kinds, document: workflow } = editor;
  const id = useId();
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const panel = useDismiss(close);
  useEffect(() => {
    // A menu that the palette was opened from gives the focus back to its node while it closes.
    let frame = 0;
    const takeFocus = (left: number): void => {
      if (panel.current?.contains(document.activeElement) !== true) field.current?.focus();
      if (left > 0) frame = requestAnimationFrame(() => takeFocus(left - 1));
    };
    takeFocus(FOCUS_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [panel]);
  const [uses] = useState(() => usesOf(workflow.definition.nodes));
  const isFirst = workflow.entries().length === 0;
  const ranked = useMemo(() => {
    const { from, to, link } = anchor;
    const isLinked = link !== undefined;
    const wanted = to?.type !== undefined && isAttachmentType(to.type) ? to.type : undefined;
    const given = from?.type !== undefined && isAttachmentType(from.type) ? from.type : undefined;
    const fit = {
      needsInput: isLinked || (from !== undefined && given === undefined),
      needsOutput: isLinked || (to !== undefined && wanted === undefined),
      isFirst,
      ...(wanted !== undefined && { provides: wanted }),
      ...(given !== undefined && { accepts: given }),
    };
    return rankKinds(kindTable(kinds).values(), query, fit, uses);
  }, [kinds, query, anchor, uses, isFirst]);
  const shown = ranked.slice(0, MAX_SHOWN);
  const optionId = (at: number): string => `${id}-${at}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, query]);
  const choose = ({ kind, refused }: RankedKind): void => {
    const type = typeOfKind(kinds, kind);
    if (type === undefined || refused !== undefined) return;
    const name = addKind(editor, type, anchor);
    close();
    focusNode(name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = shown.length - 1;
    if (event.key === 'ArrowDown') setCurrent(current >= last ? 0 : current + 1);
    else if (event.key === 'ArrowUp') setCurrent(current <= 0 ? last : current - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') {
      const entry = shown[current];
      if (entry !== undefined) choose(entry);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={panel} className="ed-palette" role="dialog" aria-label={purposeOf(anchor)} onKeyDown={onKeyDown}>
      <p className="ed-purpose clip">{purposeOf(anchor)}</p>
      <label className="field">
        <Icon name="search" />
        <span className="sr">Search nodes</span>
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? optionId(current) : undefined}
          aria-autocomplete="list"
          value={query}
          maxLength={100}
          placeholder="Search nodes"
          onChange={({ target }) => {
            setQuery(target.value);
            setCurrent(0);
          }}
        />
        <button type="button" className="btn quiet icon tiny" aria-label="Close" onClick={close}>
          <Icon name="close" size={12} />
        </button>
      </label>
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Kinds of nodes">
        {shown.map((entry, at) => {
          const type = typeOfKind(kinds, entry.kind);
          return (
            type !== undefined && (
              <Option
                key={entry.kind}
                id={optionId(at)}
                type={type}
                refused={entry.refused}
                isCurrent={at === current}
                choose={() => choose(entry)}
              />
            )
          );
        })}
      </ul>
      <p className="faint ed-purpose" role="status">
        {ranked.length === 0
          ? 'No node matches. Try another word, or use the HTTP request node.'
          : ranked.length > MAX_SHOWN
            ? `${plural(ranked.length - MAX_SHOWN, 'more node')}: type to find them`
            : plural(ranked.length, 'node')}
      </p>
    </div>
  );
};
