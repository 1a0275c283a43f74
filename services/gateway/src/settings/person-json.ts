import { quote } from '../http/json-text';
import type { SignedIn } from './settings-handler';

/** Who is signed in, as the page shows it. */
export const personText = ({ email, role }: Pick<SignedIn, 'email' | 'role'>): string =>
  `{"email":${quote(email)},"role":${quote(role)}}`;
