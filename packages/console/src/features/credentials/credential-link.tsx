import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon';

/** Opens a credential in another tab of the browser, so that a form with unsaved work stays open. */
export const CredentialLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link className="btn sm" to="/credentials/$id" params={{ id }} target="_blank">
    <Icon name="key" size={12} />
    {children}
    <span className="sr"> (in another tab)</span>
  </Link>
);
