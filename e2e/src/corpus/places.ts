import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the checkout. */
export const checkout = join(__dirname, '..', '..', '..', '..');
const shared = join(checkout, '..', 'shared');

/** The tool that runs the corpus over REST. */
export const conformanceTool = join(shared, 'tools', 'conformance.mjs');
/** Responses recorded with the corpus, behind a proxy. Run alone, it makes the authority of the recorded hosts. */
export const recordedInternet = join(shared, 'tools', 'internet.mjs');
/** The corpus of real workflows and of the expectations that come with them. */
export const corpus = join(shared, 'corpus');
/** True if the corpus lies next to this checkout. Its licences do not allow it to be part of the repository. */
export const hasCorpus = [conformanceTool, recordedInternet, corpus].every(existsSync);
/** The page that lists every case that fails. */
export const compatibilityPage = join(checkout, 'docs', 'compatibility.md');
