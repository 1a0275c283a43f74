import type { LinkRef, NodeChange, ValueChange, WorkflowDiff } from '@weft/workflow-edit';
import type { ReactNode } from 'react';
import { plural } from '../../../ui/values/format';
import { shownPath, shownValue } from '../shown-value';

const MAX_VALUE = 400;
const MAX_CHANGES = 200;

const Values = ({ changes }: { changes: readonly ValueChange[] }) => (
  <dl className="ed-values">
    {changes.slice(0, MAX_CHANGES).map(({ path, before, after }) => (
      <div key={JSON.stringify(path)}>
        <dt>
          <code>{shownPath(path) || 'all of it'}</code>
        </dt>
        <dd>
          <span className="ed-before">
            <span className="sr">before: </span>
            <code>{shownValue(before, MAX_VALUE)}</code>
          </span>
          <span className="ed-after">
            <span className="sr">after: </span>
            <code>{shownValue(after, MAX_VALUE)}</code>
          </span>
        </dd>
      </div>
    ))}
    {changes.length > MAX_CHANGES && <p className="faint">{plural(changes.length - MAX_CHANGES, 'more change')}</p>}
  </dl>
);

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="ed-diff" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

const Names = ({ title, names }: { title: string; names: readonly string[] }) =>
  names.length > 0 && (
    <Group title={title}>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Group>
  );

const linkText = ({ from, output, to, input, type = 'main' }: LinkRef): string =>
  `${from}${output > 0 ? ` (output ${output + 1})` : ''} → ${to}${input > 0 ? ` (input ${input + 1})` : ''}${
    type === 'main' ? '' : `, ${type}`
  }`;

const Changed = ({ changed }: { changed: readonly NodeChange[] }) =>
  changed.map(({ node, changes }) => (
    <Group key={node} title={`Changed: ${node}`}>
      <Values changes={changes} />
    </Group>
  ));

const isEmpty = ({ added, removed, renamed, moved, changed, links, settings, pins, name }: WorkflowDiff): boolean =>
  [added, removed, renamed, moved, changed, links.added, links.removed, settings, pins].every(
    (list) => list.length === 0,
  ) && name === undefined;

/** What differs between two versions, in terms of what a user edits. */
export const DiffView = ({ diff }: { diff: WorkflowDiff }) => {
  const { added, removed, renamed, moved, changed, links, settings, pins, name } = diff;
  if (isEmpty(diff))
    return <p className="soft pad">These versions do not differ, except for the form of their text.</p>;
  return (
    <div className="ed-diffs">
      {name !== undefined && (
        <Group title="Name of the workflow">
          <Values changes={[{ path: ['name'], before: name.before, after: name.after }]} />
        </Group>
      )}
      <Names title="Added nodes" names={added} />
      <Names title="Removed nodes" names={removed} />
      <Names title="Renamed nodes" names={renamed.map(({ from, to }) => `${from} → ${to}`)} />
      <Changed changed={changed} />
      <Names title="Added connections" names={links.added.map(linkText)} />
      <Names title="Removed connections" names={links.removed.map(linkText)} />
      {settings.length > 0 && (
        <Group title="Settings">
          <Values changes={settings} />
        </Group>
      )}
      <Names title="Changed pins" names={pins} />
      {moved.length > 0 && <p className="soft">{plural(moved.length, 'node')} moved</p>}
    </div>
  );
};
