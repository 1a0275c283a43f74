import type { App } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../../api/operate';
import { useUserName } from '../../api/owners';
import { useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { Section } from '../../ui/lists/section';
import { PageHead, Stale } from '../../ui/page';
import { PageState } from '../../ui/states';
import { CopyButton } from '../../ui/values/copy';
import { Ago } from '../../ui/values/time';
import { RemoveApp } from './remove-app';

const COMMANDS = [
  ['weft app check app.yaml', 'lists every problem of the file'],
  ['weft app add app.yaml', 'adds the app, or a new revision of it'],
] as const;

/** How apps are added: with the command line, because an app is a file. */
const Adding = ({ mayManage }: { mayManage: boolean }) => (
  <Section title="Add an app">
    <p>
      An app is a file that describes the calls of a service and the nodes that make them.{' '}
      {mayManage
        ? 'Add one with the command line and an API key of an owner or admin:'
        : 'Owners and admins add one with the command line:'}
    </p>
    <dl className="commands">
      {COMMANDS.map(([command, effect]) => (
        <div key={command}>
          <dt>
            <code>{command}</code>
            <CopyButton text={command} label={`Copy ${command}`} />
          </dt>
          <dd className="soft">{effect}</dd>
        </div>
      ))}
    </dl>
    <p className="soft">
      Drafts use the new revision at once. Active workflows keep theirs until they are saved or activated again.
    </p>
  </Section>
);

/** Characters of a digest that tell revisions apart. */
const REVISION = 12;

const Kinds = ({ kinds }: App) => (
  <span className="kindlist">
    {kinds.map((kind) => (
      <code key={kind} className="clip" title={kind}>
        {kind}
      </code>
    ))}
  </span>
);

/** The apps that users have added. */
export const AppsPage = () => {
  const list = useQuery(appsQuery);
  const userName = useUserName();
  const mayManage = useMay('apps:manage');
  const [removed, remove] = useState<App>();
  const columns: readonly Column<App>[] = [
    {
      title: 'App',
      className: 'w',
      cell: ({ name, label }) => (
        <span className="clip block" title={label}>
          <b>{label}</b> <span className="soft">{name}</span>
        </span>
      ),
    },
    { title: 'Kinds of nodes', className: 'wrapcell', cell: Kinds },
    {
      title: 'Revision',
      cell: ({ digest }) => <code title={digest}>{digest.replace(/^sha256:/, '').slice(0, REVISION)}</code>,
    },
    { title: 'Changed by', cell: ({ updatedBy }) => <span className="soft">{userName(updatedBy)}</span> },
    {
      title: 'Changed',
      cell: ({ updatedAt }) => (
        <span className="soft">
          <Ago at={updatedAt} />
        </span>
      ),
    },
    ...(mayManage
      ? [
          {
            title: 'Remove',
            isBare: true,
            className: 'rowacts',
            cell: (app: App) => (
              <button type="button" className="btn sm" aria-label={`Remove ${app.label}`} onClick={() => remove(app)}>
                <Icon name="trash" size={12} />
                Remove
              </button>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHead title="Apps">
        <span className="grow" />
        <Stale query={list} />
      </PageHead>
      <div className="page">
        <RecordList
          query={list}
          rows={list.data}
          what="the apps"
          label="Apps"
          columns={columns}
          keyOf={({ name }) => name}
          empty={
            <PageState icon="box" tone="neutral" title="No app was added yet">
              <p>The apps of Weft, such as Slack and Google Sheets, are always there. Here are those that users add.</p>
            </PageState>
          }
        />
        <div className="parts">
          <Adding mayManage={mayManage} />
        </div>
      </div>
      {removed !== undefined && <RemoveApp app={removed} close={() => remove(undefined)} />}
    </>
  );
};
