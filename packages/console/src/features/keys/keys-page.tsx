import type { ApiKey, CreatedApiKey } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { keysQuery } from '../../api/people';
import { queryClient } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { ShownOnce } from '../../ui/forms/shown-once';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead } from '../../ui/page';
import { PageState } from '../../ui/states';
import { notify } from '../../ui/overlays/toast';
import { KEY_COLUMNS } from './key-columns';
import { NewKey } from './new-key';

/** The API keys of the signed-in user. */
export const KeysPage = () => {
  const keys = useQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const [deleted, setDeleted] = useState<ApiKey>();
  const newButton = (
    <button type="button" className="btn primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> key</span>
      </span>
    </button>
  );
  const columns: readonly Column<ApiKey>[] = [
    ...KEY_COLUMNS,
    {
      title: 'Delete',
      isBare: true,
      className: 'rowacts',
      cell: (key) => (
        <button
          type="button"
          className="btn sm"
          aria-label={`Delete the key ${key.name}`}
          onClick={() => setDeleted(key)}
        >
          Delete
        </button>
      ),
    },
  ];
  return (
    <>
      <PageHead title="API keys">
        <span className="grow" />
        {newButton}
      </PageHead>
      <div className="page">
        {created !== undefined && (
          <ShownOnce
            title={`The key ${created.name} was created`}
            label="API key"
            value={created.value}
            done={() => setCreated(undefined)}
          >
            <p className="soft">Copy it now: it is not shown again. To try it:</p>
            <pre className="code" tabIndex={0} aria-label="Command that uses the key">
              {`curl -H 'X-SVC-API-KEY: ${created.value}' ${location.origin}/api/v1/me`}
            </pre>
          </ShownOnce>
        )}
        <RecordList
          query={keys}
          rows={keys.data}
          what="the keys"
          label="API keys"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState icon="key" tone="running" title="You have no API keys" actions={newButton}>
              <p>
                Clients of the <a href="/docs/">API</a> send a key in the header <code>X-SVC-API-KEY</code>.
              </p>
            </PageState>
          }
        />
      </div>
      {isCreating && <NewKey show={setCreated} close={() => setCreating(false)} />}
      {deleted !== undefined && (
        <Confirm
          title="Delete the API key?"
          action="Delete"
          isDanger
          close={() => setDeleted(undefined)}
          act={async () => {
            await weft.call('deleteApiKey', { path: { id: deleted.id } });
            notify(`The key ${deleted.name} was deleted`);
            if (created?.id === deleted.id) setCreated(undefined);
            await queryClient.invalidateQueries({ queryKey: ['keys'] });
          }}
        >
          <p>Every client that uses {deleted.name} is refused from its next request on.</p>
        </Confirm>
      )}
    </>
  );
};
