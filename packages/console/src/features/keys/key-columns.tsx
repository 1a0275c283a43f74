import type { ApiKey } from '@weft/client';
import type { Column } from '../../ui/lists/records';
import { Ago, At, useNow } from '../../ui/values/time';

const Scopes = ({ scopes }: Pick<ApiKey, 'scopes'>) =>
  scopes === null ? <span className="soft">Everything its user may</span> : <code>{scopes.join(', ')}</code>;

const ExpiryTime = ({ at }: { at: string }) => {
  const isOver = Date.parse(at) <= useNow();
  return (
    <span className={isOver ? 'st error' : 'soft'}>
      {isOver && 'expired '}
      <At at={at} />
    </span>
  );
};

const Expiry = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>) =>
  expiresAt === null ? <span className="faint">never</span> : <ExpiryTime at={expiresAt} />;

/** Columns of a list of keys. */
export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { title: 'Name', className: 'w', cell: ({ name }) => <b className="clip block">{name}</b> },
  { title: 'May', className: 'wrapcell', cell: Scopes },
  {
    title: 'Created',
    cell: ({ createdAt }) => (
      <span className="soft">
        <Ago at={createdAt} />
      </span>
    ),
  },
  { title: 'Expires', cell: Expiry },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="faint">never</span>
      ) : (
        <span className="soft">
          <Ago at={lastUsedAt} />
        </span>
      ),
  },
];
