import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useOwners } from '../../api/owners';
import { queryClient } from '../../api/queries';
import { SelectField } from '../../ui/forms/fields';
import { Modal } from '../../ui/overlays/dialog';
import { errorText, plural } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { ErrorState, Failure, Loading } from '../../ui/states';
import { notify } from '../../ui/overlays/toast';
import { createFrom } from '../editor/save/make-copy';
import { CredentialRow } from './credential-row';
import {
  checkImport,
  type ChosenCredentials,
  credentialKey,
  credentialsOf,
  type ImportEntry,
  withCredentials,
} from './import-model';
import type { ImportContent } from './read-import';

const WorkflowRow = ({ entry: { check, document } }: { entry: ImportEntry }) => {
  const problems = [...check.fields, ...check.warnings];
  const taken = check.routes.filter(({ takenBy }) => takenBy !== null);
  return (
    <li className="ed-import">
      <Icon
        name={check.definition === null ? 'error' : problems.length > 0 || taken.length > 0 ? 'alert' : 'success'}
      />
      <span className="grow">
        <b className="clip">{check.name}</b>
        <small className="soft">
          {plural(document.entries().length, 'node')}
          {check.definition === null ? ', cannot be imported' : check.runnable ? '' : ', cannot be activated yet'}
        </small>
        {problems.slice(0, 5).map(({ field, message }) => (
          <small key={`${field} ${message}`} className="soft">
            <code>{field}</code> {message}
          </small>
        ))}
        {problems.length > 5 && <small className="soft">{plural(problems.length - 5, 'more remark')}</small>}
        {taken.map(({ method, path }) => (
          <small key={`${method} ${path}`} className="soft">
            Another workflow has the address {method} /{path}.
          </small>
        ))}
      </span>
    </li>
  );
};

interface Imported {
  readonly ids: readonly string[];
  readonly failures: readonly string[];
}

const importAll = async (entries: readonly ImportEntry[], ownerId: string | undefined): Promise<Imported> => {
  const ids: string[] = [];
  const failures: string[] = [];
  for (const entry of entries) {
    try {
      ids.push(await createFrom(withCredentials(entry), ownerId));
    } catch (error) {
      failures.push(`${entry.check.name}: ${errorText(error)}`);
    }
  }
  return { ids, failures };
};

/**
 * Shows what an import would do, links credentials, and creates the workflows, inactive.
 * @param projectId the project or user that is proposed as their owner; absent: the caller
 */
export const ImportDialog = ({
  content,
  projectId,
  close,
}: {
  content: ImportContent;
  projectId: string | undefined;
  close: () => void;
}) => {
  const { documents, errors } = content;
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ChosenCredentials>(new Map());
  const { own } = useOwners();
  const [owner, setOwner] = useState(projectId);
  const ownerId = own.some(([id]) => id === owner) ? owner : undefined;
  const check = useQuery({
    queryKey: ['import-check', documents, chosen, ownerId],
    queryFn: ({ signal }) => checkImport(documents, chosen, ownerId, signal),
    placeholderData: (before) => before,
    gcTime: 0,
    structuralSharing: false,
    queryKeyHashFn: () => `import-check ${JSON.stringify([ownerId, ...chosen])}`,
    enabled: documents.length > 0,
  });
  const entries = check.data ?? [];
  const credentials = credentialsOf(entries);
  // The imported workflow replaces the page with the element that had the focus before.
  const leaves = useRef(false);
  const finalFocus = (): HTMLElement | null => (leaves.current ? window.document.getElementById('main') : null);
  const possible = entries.filter((entry) => entry.check.definition !== null);
  const run = useMutation({
    mutationFn: () => importAll(possible, ownerId),
    onSuccess: async ({ ids, failures }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      if (failures.length > 0) return;
      const [only] = ids;
      leaves.current = ids.length === 1;
      close();
      notify(`${plural(ids.length, 'workflow')} imported`);
      if (ids.length === 1 && only !== undefined)
        await navigate({ to: '/workflows/$id', params: { id: only }, search: {} });
    },
  });
  return (
    <Modal
      title={`Import ${plural(documents.length, 'workflow')}`}
      close={close}
      className="wide"
      finalFocus={finalFocus}
    >
      <div className="dbody">
        {errors.map(({ name, message }) => (
          <p key={`${name} ${message}`} className="st error wraps" role="alert">
            <Icon name="error" />
            <span>
              {name}: {message}
            </span>
          </p>
        ))}
        {check.isError && <ErrorState error={check.error} what="the check" retry={() => void check.refetch()} />}
        {documents.length > 0 && check.isPending && <Loading rows={3} label="Checking the workflows" />}
        {own.length > 1 && (
          <SelectField
            label="Belongs to"
            value={ownerId ?? own[0]?.[0] ?? ''}
            choices={own}
            change={(id) => {
              setChosen(new Map());
              setOwner(id);
            }}
          />
        )}
        <ul aria-label="Workflows">
          {entries.map((entry, at) => (
            <WorkflowRow key={at} entry={entry} />
          ))}
        </ul>
        {credentials.length > 0 && (
          <>
            <h3>Credentials</h3>
            <ul aria-label="Credentials">
              {credentials.map((credential) => (
                <CredentialRow
                  key={credentialKey(credential)}
                  credential={credential}
                  ownerId={ownerId}
                  value={chosen.get(credentialKey(credential)) ?? credential.id ?? ''}
                  choose={(id) => {
                    const next = new Map(chosen);
                    if (id === '') next.delete(credentialKey(credential));
                    else next.set(credentialKey(credential), id);
                    setChosen(next);
                  }}
                />
              ))}
            </ul>
          </>
        )}
        {run.data?.failures.map((failure) => (
          <Failure key={failure} error={failure} />
        ))}
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          {run.data === undefined ? 'Cancel' : 'Close'}
        </button>
        {run.data === undefined && (
          <button
            type="button"
            className="btn primary"
            disabled={possible.length === 0 || run.isPending || check.isFetching}
            onClick={() => run.mutate()}
          >
            {run.isPending ? 'Importing …' : `Import ${plural(possible.length, 'workflow')}`}
          </button>
        )}
      </div>
    </Modal>
  );
};
