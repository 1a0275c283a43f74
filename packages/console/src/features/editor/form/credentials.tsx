import { useQuery } from '@tanstack/react-query';
import type { KindDescriptor, NodeDefinition } from '@weft/node-catalogue/definitions';
import { nodesWithCredentialOf, setCredential } from '@weft/workflow-edit';
import { lazy, Suspense, useId, useState } from 'react';
import { credentialTypesQuery } from '../../../api/credentials';
import { usableCredentialsQuery } from '../../../api/editor-queries';
import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { notify } from '../../../ui/overlays/toast';
import { plural } from '../../../ui/values/format';
import { NeedsLogin } from '../../credentials/needs-login';
import { useEditor } from '../editor-context';
import { linkedCredential, storedTypeOf, typesOf } from './credential-types';

const CreateCredential = lazy(() =>
  import('../../credentials/create-credential').then((module) => ({ default: module.CreateCredential })),
);

const CredentialSelect = ({
  node,
  type,
  storedType,
  error,
}: {
  node: NodeDefinition;
  type: string;
  /** Type of the credentials that can be chosen. */
  storedType: string;
  error: string | undefined;
}) => {
  const { document, edit, isReadOnly } = useEditor();
  const id = useId();
  const list = useQuery(usableCredentialsQuery);
  const described = useQuery(credentialTypesQuery).data?.get(storedType);
  const label = described?.label ?? type;
  const [isCreating, setCreating] = useState(false);
  const mayManage = useMay('credentials:write');
  const { id: storedId, name: storedName } = linkedCredential(node, type);
  const choices = (list.data ?? []).filter((credential) => credential.type === storedType);
  const chosen = choices.find((choice) => choice.id === storedId);
  const isListed = chosen !== undefined;
  const isNamedOnly = storedId === '' && storedName !== '';
  /** Replaces a credential that does not exist here in all nodes that name it. */
  const link = (credential: { readonly id: string; readonly name: string } | undefined): void => {
    const isMissing = list.data !== undefined && !isListed && credential !== undefined;
    const names = isMissing ? nodesWithCredentialOf(document, node.name, type) : [node.name];
    edit((now) => setCredential(now, names, type, credential));
    if (names.length > 1) notify(`${credential?.name ?? ''} is linked to ${plural(names.length, 'node')}`);
  };
  const choose = (next: string): void => {
    const picked = choices.find((choice) => choice.id === next);
    if (next !== '' && picked === undefined) return;
    link(picked === undefined ? undefined : { id: picked.id, name: picked.name });
  };
  return (
    <div className="fl">
      <div className="flh">
        <label className="grow" htmlFor={id}>
          Credential: {label}
        </label>
        {mayManage && !isReadOnly && described !== undefined && (
          <button type="button" className="btn sm" onClick={() => setCreating(true)}>
            <Icon name="plus" size={12} />
            Create<span className="sr"> a credential: {label}</span>
          </button>
        )}
      </div>
      <select
        id={id}
        className="tin"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        value={isNamedOnly ? 'stored' : storedId}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">None</option>
        {(isNamedOnly || (storedId !== '' && !isListed)) && (
          <option value={isNamedOnly ? 'stored' : storedId}>
            {storedName === '' ? storedId : storedName}
            {isNamedOnly ? ' (not linked)' : list.data === undefined ? '' : ' (does not exist here)'}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
            {choice.login === 'needsLogin' ? ' (needs sign-in)' : ''}
          </option>
        ))}
      </select>
      {chosen?.login === 'needsLogin' && <NeedsLogin credential={chosen} />}
      {list.isError && <p className="faint">Your credentials could not be listed.</p>}
      {list.data !== undefined && choices.length === 0 && <p className="faint">You have no credential of this type.</p>}
      <Suspense>
        {isCreating && described !== undefined && (
          <CreateCredential
            type={described}
            suggestedName={storedName === '' ? undefined : storedName}
            onCreated={link}
            close={() => setCreating(false)}
          />
        )}
      </Suspense>
      {error !== undefined && (
        <p className="st error wraps" id={`${id}-error`}>
          <Icon name="error" size={12} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
};

/** The credentials of a node, by type. */
export const Credentials = ({
  node,
  kind,
  errors,
}: {
  node: NodeDefinition;
  kind: KindDescriptor;
  errors: ReadonlyMap<string, string>;
}) =>
  typesOf(node, kind).map((type) => (
    <CredentialSelect
      key={type}
      node={node}
      type={type}
      storedType={storedTypeOf(kind, type)}
      error={errors.get(`credentials.${type}`)}
    />
  ));
