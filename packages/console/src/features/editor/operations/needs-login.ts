import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usableCredentialsQuery } from '../../../api/editor-queries';
import type { Editor } from '../editor-context';

/** Names of the enabled nodes with a credential that needs a sign-in, as far as the user can see credentials. */
export const useNodesNeedingLogin = ({ document }: Pick<Editor, 'document'>): ReadonlySet<string> => {
  const { data } = useQuery(usableCredentialsQuery);
  return useMemo(() => {
    const ids = new Set((data ?? []).flatMap(({ id, login }) => (login === 'needsLogin' ? [id] : [])));
    const needing = document.definition.nodes.filter(
      ({ disabled, credentials = {} }) =>
        disabled !== true && Object.values(credentials).some(({ id }) => id !== undefined && ids.has(id)),
    );
    return new Set(needing.map(({ name }) => name));
  }, [document, data]);
};
