import type { WorkflowVersionSummary } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { diffWorkflows, replaceDocument, type WorkflowDocument } from '@weft/workflow-edit';
import { useMemo, useState } from 'react';
import { queryClient, versionsQuery } from '../../../api/queries';
import { Confirm } from '../../../ui/overlays/dialog';
import { shortId } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { LoadMore } from '../../../ui/page';
import { ErrorState, Loading } from '../../../ui/states';
import { Ago, At } from '../../../ui/values/time';
import { useEditor } from '../editor-context';
import { definitionQuery } from '../stored-workflow';
import { DiffView } from './diff-view';

const route = getRouteApi('/workflows/$id');

/** The document on the screen, as a choice next to the stored versions. */
const DRAFT = 'draft';

/** The definition of a version; the document on the screen for `DRAFT`. */
const useDefinition = (versionId: string | undefined) => {
  const { workflowId, document } = useEditor();
  const isStored = versionId !== undefined && versionId !== DRAFT;
  const query = useQuery({ ...definitionQuery(workflowId, versionId ?? ''), enabled: isStored });
  return { document: versionId === DRAFT ? document : query.data, error: query.error, refetch: query.refetch };
};

const Comparison = ({ before, after }: { before: string; after: string }) => {
  const [old, next] = [useDefinition(before), useDefinition(after)];
  const [from, to] = [old.document, next.document];
  const diff = useMemo(
    () => (from === undefined || to === undefined ? undefined : diffWorkflows(from, to)),
    [from, to],
  );
  const error = old.error ?? next.error;
  if (error !== null)
    return (
      <ErrorState
        error={error}
        what="the version"
        retry={() => {
          void old.refetch();
          void next.refetch();
        }}
      />
    );
  return diff === undefined ? <Loading rows={3} label="Loading the versions" /> : <DiffView diff={diff} />;
};

/** Puts the text of a version into the editor, as one step that can be undone. */
const Restore = ({ version, close }: { version: WorkflowVersionSummary; close: () => void }) => {
  const { change, workflowId } = useEditor();
  const navigate = route.useNavigate();
  const restore = (earlier: WorkflowDocument): void =>
    change((editing) => replaceDocument(editing, earlier, 'Restore a version'));
  return (
    <Confirm
      title="Restore this version?"
      action="Restore"
      close={close}
      act={async () => {
        restore(await queryClient.ensureQueryData(definitionQuery(workflowId, version.versionId)));
        await navigate({ search: {} });
      }}
    >
      <p>
        The editor then shows the version from <At at={version.createdAt} />. Save to make it the current version; until
        then, you can undo it.
      </p>
    </Confirm>
  );
};

const Row = ({
  version,
  before,
  after,
  choose,
  restore,
}: {
  version: WorkflowVersionSummary;
  before: string;
  after: string;
  choose: (side: 'before' | 'after', versionId: string) => void;
  restore: () => void;
}) => {
  const { isReadOnly } = useEditor();
  const { versionId, createdAt, current } = version;
  return (
    <tr>
      {(['before', 'after'] as const).map((side) => (
        <td key={side} className="checkcell">
          <input
            type="radio"
            name={`versions-${side}`}
            aria-label={`${side === 'before' ? 'Compare from' : 'Compare to'} version ${shortId(versionId)}`}
            checked={(side === 'before' ? before : after) === versionId}
            onChange={() => choose(side, versionId)}
          />
        </td>
      ))}
      <td>
        <At at={createdAt} /> <span className="faint only-wide">{<Ago at={createdAt} />}</span>
      </td>
      <td className="only-wide">
        <code className="faint">{shortId(versionId)}</code>
      </td>
      <td className="r">
        {current ? (
          <span className="tag">Current</span>
        ) : (
          !isReadOnly && (
            <button type="button" className="btn sm" onClick={restore}>
              <Icon name="retry" />
              Restore
            </button>
          )
        )}
      </td>
    </tr>
  );
};

/** Stored versions of the workflow: their differences, and a way back. */
export const VersionsTab = () => {
  const { workflowId } = useEditor();
  const list = useInfiniteQuery(versionsQuery(workflowId));
  const [chosen, setChosen] = useState<{ readonly before?: string; readonly after?: string }>({});
  const [restoring, setRestoring] = useState<WorkflowVersionSummary>();
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} what="the versions" retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Loading label="Loading versions" />;
  const versions = list.data.pages.flatMap(({ data }) => data);
  const [newest, previous] = versions;
  const before = chosen.before ?? previous?.versionId ?? newest?.versionId ?? DRAFT;
  const after = chosen.after ?? newest?.versionId ?? DRAFT;
  return (
    <div className="page ed-tab">
      <h2>Versions</h2>
      <section className="card scrolls" aria-label="Versions" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th>From</th>
              <th>To</th>
              <th>Saved</th>
              <th className="only-wide">Version</th>
              <th>
                <span className="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td className="checkcell" />
              <td className="checkcell">
                <input
                  type="radio"
                  name="versions-after"
                  aria-label="Compare to the editor"
                  checked={after === DRAFT}
                  onChange={() => setChosen({ ...chosen, after: DRAFT })}
                />
              </td>
              <td>On your screen</td>
              <td className="only-wide" />
              <td />
            </tr>
            {versions.map((version) => (
              <Row
                key={version.versionId}
                version={version}
                before={before}
                after={after}
                choose={(side, versionId) => setChosen({ ...chosen, [side]: versionId })}
                restore={() => setRestoring(version)}
              />
            ))}
          </tbody>
        </table>
      </section>
      <LoadMore list={list} />
      <h2>Differences</h2>
      <section className="card" aria-label="Differences">
        <Comparison before={before} after={after} />
      </section>
      {restoring !== undefined && <Restore version={restoring} close={() => setRestoring(undefined)} />}
    </div>
  );
};
