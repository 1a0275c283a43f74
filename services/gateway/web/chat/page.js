// The parts of the page of a chat, and what the browser stores of it.

const MAX_WAIT_MS = 300_000;
/** The same for an answer that arrives in parts. */
const MAX_STREAM_MS = 900_000;
const root = document.getElementById('chat');
const config = JSON.parse(root.dataset.config);
const log = root.querySelector('[role="log"]');
const form = root.querySelector('form');
const input = form.querySelector('textarea');
const files = form.querySelector('input[type="file"]');
const send = form.querySelector('button[type="submit"]');
const { placeholder } = input;
const storeKey = `weft-chat:${location.pathname}`;
/** Addresses of the chat of the last run, so that a page that is opened again shows it. */
const runKey = `weft-chat-run:${location.pathname}`;

const newSession = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A string of this browser; of this page alone if the browser stores nothing. */
const storedAt = (key) => {
  let own = '';
  return {
    get: () => {
      try {
        return localStorage.getItem(key) ?? own;
      } catch {
        return own;
      }
    },
    set: (value) => {
      own = value;
      try {
        localStorage.setItem(key, value);
      } catch {
        // It lasts as long as the page.
      }
    },
  };
};
const stored = storedAt(storeKey);
/** Path of the chat of the last run that waited for a reply; empty for none. */
const storedRun = storedAt(runKey);

/** Ends the requests of a conversation when another one begins. */
let conversation = new AbortController();

const session = () => {
  if (stored.get() === '') stored.set(newSession());
  return stored.get();
};
