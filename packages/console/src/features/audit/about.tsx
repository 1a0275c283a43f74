import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';

interface Names {
  readonly ownerName: (id: string) => string;
  readonly userName: (id: string) => string;
  readonly workflows: ReadonlyMap<string, string> | undefined;
}

const USER_FIELDS = new Set(['userId', 'transferTo', 'createdBy']);
const OWNER_FIELDS = new Set(['projectId', 'ownerId', 'destinationProjectId', 'grantedTo']);

/** Ids of the API; others, such as lists of ids, are shown as text. */
export const isId = (value: string): boolean => /^[\w-]{1,100}$/.test(value);

const Value = ({ name, value, ownerName, userName, workflows }: Names & { name: string; value: string }) => {
  if (!isId(value)) return <>{value}</>;
  if (name === 'workflowId')
    return (
      <Link className="lnk" to="/workflows/$id" params={{ id: value }}>
        {workflows?.get(value) ?? value}
      </Link>
    );
  if (name === 'executionId')
    return (
      <Link className="lnk" to="/executions/$id" params={{ id: value }} search={{}}>
        {value}
      </Link>
    );
  if (name === 'credentialId')
    return (
      <Link className="lnk" to="/credentials/$id" params={{ id: value }}>
        {value}
      </Link>
    );
  if (USER_FIELDS.has(name)) return <span title={value}>{userName(value)}</span>;
  if (OWNER_FIELDS.has(name)) return <span title={value}>{ownerName(value)}</span>;
  return <>{value}</>;
};

/** What an entry is about: each field with its value, ids as names where they are known. */
export const About = ({ about, ...names }: Names & { about: Readonly<Record<string, string>> }) => (
  <span className="soft">
    {Object.entries(about).map(([name, value], at) => (
      <Fragment key={name}>
        {at > 0 && ', '}
        <span className="faint">{name}</span> <Value name={name} value={value} {...names} />
      </Fragment>
    ))}
  </span>
);
