import { callPage, weft } from '../api/client';
import { eraseWork } from './erase';

/** Erases what this browser holds; a fresh page keeps nothing of the session in memory. */
const leave = async (): Promise<void> => {
  await eraseWork();
  location.assign('/console/');
};

/** Ends the session. @throws WeftError; the user is still signed in then */
export const signOut = async (): Promise<void> => {
  await callPage('DELETE', '/session');
  await leave();
};

/** Ends all sessions of the user, in every browser. @throws WeftError */
export const signOutEverywhere = async (userId: string): Promise<void> => {
  await weft.call('signOutUser', { path: { id: userId } });
  await leave();
};
