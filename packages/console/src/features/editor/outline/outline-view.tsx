import { outlineOf, type OutlineEntry, type OutlineLink } from '@weft/workflow-edit';
import { type KeyboardEvent, useMemo } from 'react';
import { Icon } from '../../../ui/icon';
import { MenuButton } from '../../../ui/overlays/menu';
import { KindTile } from '../../graph/kind-tile';
import { kindOfNode, typeOfKind } from '../../graph/kinds';
import type { NodeMark } from '../../graph/marks';
import { nounOf } from '../operations/attachments';
import { isPinned, nodeEntries } from '../operations/commands';
import { useEditor } from '../editor-context';
import { kindTable } from '../operations/kind-table';
import { useNodesNeedingLogin } from '../operations/needs-login';
import { onNodeKey } from '../operations/node-keys';
import { useRunMarks } from '../run/use-run-marks';

/** Links that are written out; a trigger with 500 of them names the first. */
const MAX_LINKS = 8;

const linkText = ({ type, label, to }: OutlineLink): string =>
  type === 'main' ? `${label} → ${to}`.trim() : `${nounOf(type)} of ${to}`;

const linksText = (links: readonly OutlineLink[], isSubNode: boolean): string => {
  if (links.length === 0) return isSubNode ? 'no node uses it' : 'end';
  const shown = links.slice(0, MAX_LINKS).map(linkText).join(', ');
  return links.length > MAX_LINKS ? `${shown}, and ${links.length - MAX_LINKS} more` : shown;
};

/** Moves the focus along the list. */
const onListKey = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.on-main')];
  const row = event.target instanceof HTMLElement ? event.target.closest('.on') : null;
  const at = rows.findIndex((one) => row?.contains(one) === true);
  if (at < 0) return;
  event.preventDefault();
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
};

const Entry = ({
  entry: { name, links, branches, subNodes, isReached, isSubNode },
  marks,
  needingLogin,
}: {
  entry: OutlineEntry;
  /** States of the shown run, by the name of the node. */
  marks: ReadonlyMap<string, NodeMark>;
  /** Names of the nodes with a credential that needs a sign-in. */
  needingLogin: ReadonlySet<string>;
}) => {
  const editor = useEditor();
  const node = editor.document.definition.nodes.find((one) => one.name === name);
  const kind = kindOfNode(node?.type ?? '');
  const type = typeOfKind(editor.kinds, kind);
  // One that is not connected yet is recognised by its kind.
  const isUsable = isSubNode || (type?.inputs.length === 0 && (type.provides ?? []).length > 0);
  const problem = editor.problems.find((one) => one.node === name);
  const mark = marks.get(name);
  return (
    <li>
      <div className={`on${editor.opened === name ? ' cur' : ''}${node?.disabled === true ? ' off' : ''}`}>
        <button
          type="button"
          className="on-main"
          data-node={name}
          aria-current={editor.opened === name}
          aria-keyshortcuts="F2 Delete Control+D"
          onClick={() => editor.open(name)}
          onKeyDown={(event) => onNodeKey(editor, name, event)}
        >
          <KindTile kind={kind} type={type} />
          <span className="grow">
            <b className="clip">{name}</b>
            <small className="faint">
              <span className="sr">{type?.label ?? node?.type ?? ''}, </span>
              {linksText(links, isUsable)}
            </small>
          </span>
          {isPinned(editor, name) && (
            <span className="tag">
              <Icon name="pin" size={12} />
              pinned
            </span>
          )}
          {node?.disabled === true && <span className="tag">disabled</span>}
          {needingLogin.has(name) && (
            <span className="st error">
              <Icon name="key" />
              needs sign-in
            </span>
          )}
          {problem === undefined && mark !== undefined && (
            <span className={`st ${mark.tone}`}>
              <Icon name={mark.icon} spin={mark.tone === 'running'} />
              <span aria-hidden="true">{mark.text}</span>
              <span className="sr">{mark.label}</span>
            </span>
          )}
          {problem !== undefined && (
            <span className={`st ${problem.tone === 'error' ? 'error' : 'waiting'}`}>
              <Icon name={problem.tone === 'error' ? 'error' : 'alert'} />
              {problem.tone === 'error' ? 'problem' : 'warning'}
            </span>
          )}
          {!isReached && !isUsable && type?.neverRuns !== true && (
            <span className="faint only-wide">no trigger leads here</span>
          )}
        </button>
        <MenuButton label={`Actions of ${name}`} entries={() => nodeEntries(editor, name)}>
          <Icon name="more" />
        </MenuButton>
      </div>
      {subNodes.length > 0 && (
        <ol className="on-branch" aria-label={`Sub-nodes of ${name}`}>
          {subNodes.map((inner) => (
            <Entry key={inner.name} entry={inner} marks={marks} needingLogin={needingLogin} />
          ))}
        </ol>
      )}
      {branches.map((branch, at) => (
        <ol key={at} className="on-branch" aria-label={`Branch ${at + 1} of ${name}`}>
          {branch.map((inner) => (
            <Entry key={inner.name} entry={inner} marks={marks} needingLogin={needingLogin} />
          ))}
        </ol>
      ))}
    </li>
  );
};

/** The nodes in the order in which they run, with everything that the graph can do. */
export const OutlineView = () => {
  const editor = useEditor();
  const { document, kinds, isReadOnly, ask } = editor;
  const marks = useRunMarks().nodes;
  const needingLogin = useNodesNeedingLogin(editor);
  const entries = useMemo(() => outlineOf(document.definition, kindTable(kinds)), [document, kinds]);
  return (
    <section className="outline" aria-label="Nodes in the order in which they run">
      <div className="line">
        <h2 className="grow">Nodes</h2>
        {!isReadOnly && (
          <button type="button" className="btn" onClick={() => ask({ kind: 'palette', anchor: {} })}>
            <Icon name="plus" />
            Add node
          </button>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="soft pad">There are no nodes yet. Begin with a trigger: it starts the workflow.</p>
      ) : (
        <ol className="card on-list" onKeyDown={onListKey}>
          {entries.map((entry) => (
            <Entry key={entry.name} entry={entry} marks={marks} needingLogin={needingLogin} />
          ))}
        </ol>
      )}
    </section>
  );
};
