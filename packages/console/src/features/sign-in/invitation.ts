import { callPage } from '../../api/client';
import { memberOf } from '../../ui/values/json';

/** An invitation, as its link shows it. */
export interface OpenInvitation {
  readonly email: string;
  readonly role: string;
  /** True: it sets a new password for an existing user. */
  readonly isReset: boolean;
}

/** The token in the fragment of a link, which browsers never send: no server and no log contains it. */
export const invitationToken = (): string | undefined => /^#invitation=([\w-]{1,100})$/.exec(location.hash)?.[1];

/** Removes the token from the address. */
export const forgetInvitation = (): void => history.replaceState(null, '', '/console/');

/** @throws WeftError if the link is no longer valid */
export const readInvitation = async (token: string): Promise<OpenInvitation> => {
  const data = await callPage('POST', '/invitation', { token });
  const [email, role] = [memberOf(data, 'email'), memberOf(data, 'role')];
  if (typeof email !== 'string' || typeof role !== 'string')
    throw new Error('The server answered without the invitation.');
  return { email, role, isReset: typeof memberOf(data, 'userId') === 'string' };
};
