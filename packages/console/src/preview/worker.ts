import { servePreviews } from '@weft/engine/preview';

// Evaluates expressions away from the page, which replaces this worker if one takes too long.
const receive = servePreviews((message) => postMessage(message));
addEventListener('message', ({ data }) => receive(data));
postMessage({ kind: 'ready' });
