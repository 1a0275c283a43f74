import { createStore } from '../ui/store';

/** True if this page has shown a sign-in, an invitation or the set-up: their forms had the focus, and are gone. */
export const isSignInShown = createStore(false);
