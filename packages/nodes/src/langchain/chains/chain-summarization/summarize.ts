import { fillTemplate } from '../shared/fill-template';

/** Asks a model. */
export type Ask = (prompt: string) => Promise<string>;

/** Estimated tokens of a prompt up to which all parts are summarized at once, as in n8n. */
const MAX_TOKENS = 3_000;
const CHARACTERS_OF_TOKEN = 4;
/** Rounds of summaries of summaries, and parts that are summarized at once. */
const [MAX_ROUNDS, MAX_AT_ONCE] = [10, 4];
/** Characters of a summary that the next prompt gets. */
const MAX_SUMMARY = 262_144;

/** Summarizes all parts by one prompt with `{text}`. */
export function stuff(ask: Ask, parts: readonly string[], prompt: string): Promise<string> {
  return ask(fillTemplate(prompt, { text: parts.join('\n\n') }));
}

/** Summarizes each part, and the summaries, until they are short enough for the last prompt. */
export async function mapReduce(
  ask: Ask,
  parts: readonly string[],
  partPrompt: string,
  lastPrompt: string,
): Promise<string> {
  let current = parts;
  for (let round = 0; round < MAX_ROUNDS && !isShort(current, lastPrompt); round += 1)
    current = await summaries(ask, current, partPrompt);
  return stuff(ask, current, lastPrompt);
}

/** Summarizes the first part, and improves the summary by each other part. */
export async function refine(
  ask: Ask,
  [first = '', ...others]: readonly string[],
  firstPrompt: string,
  nextPrompt: string,
): Promise<string> {
  let summary = await ask(fillTemplate(firstPrompt, { text: first }));
  for (const text of others)
    summary = await ask(fillTemplate(nextPrompt, { existing_answer: summary.slice(0, MAX_SUMMARY), text }));
  return summary;
}

function isShort(parts: readonly string[], prompt: string): boolean {
  const characters = parts.reduce((sum, one) => sum + one.length + 2, prompt.length);
  return characters / CHARACTERS_OF_TOKEN < MAX_TOKENS;
}

/** The first failure ends all. */
async function summaries(ask: Ask, parts: readonly string[], prompt: string): Promise<string[]> {
  const made: string[] = [];
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < parts.length && !failed) {
      const index = next;
      next += 1;
      try {
        const summary = await ask(fillTemplate(prompt, { text: parts[index] ?? '' }));
        made[index] = summary.slice(0, MAX_SUMMARY);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, parts.length) }, worker));
  return made;
}
