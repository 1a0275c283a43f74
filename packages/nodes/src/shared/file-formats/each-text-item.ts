import type { Json } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { failedItem, type MadeItem, pairedWith } from '../each-item';
import type { FormatContext } from './run-format-task';
import { runTexts } from './run-texts';
import type { TextJob } from './tasks';

/** Number of characters that are buffered and sent together. */
const MAX_CHARACTERS = 8_000_000;

/** The part of a node run that work on the strings of its items needs. */
export type TextContext = FormatContext & Pick<NodeContext, 'items' | 'pause' | 'continueOnFail'>;

/** An item with its job, or with the error that prevented one. */
interface PreparedItem {
  readonly item: Item;
  readonly index: number;
  readonly job: TextJob | { readonly thrown: unknown };
}

/**
 * Creates any number of items from each input item, linked to it, by processing its string in a process for untrusted
 * data. Strings are sent in batches. An item that fails becomes `{ error }` if the node continues on failure.
 * @param prepare creates the job for an item
 * @param make creates items from its result
 * @throws NodeFailure for the first failed item otherwise
 */
export async function eachTextItem(
  context: TextContext,
  prepare: (item: Item, index: number) => TextJob | Promise<TextJob>,
  make: (item: Item, value: Json, index: number) => readonly MadeItem[],
): Promise<Item[]> {
  const made: Item[] = [];
  let held: PreparedItem[] = [];
  let characters = 0;
  for (const [index, item] of context.items.entries()) {
    await context.pause();
    const job = await attempt(() => prepare(item, index));
    held.push({ item, index, job });
    characters += 'thrown' in job ? 0 : charactersOf(job);
    const isLast = index === context.items.length - 1;
    const isOver = 'thrown' in job && !context.continueOnFail;
    if (!isLast && !isOver && characters < MAX_CHARACTERS) continue;
    for (const one of await itemsOf(context, held, make)) made.push(one);
    held = [];
    characters = 0;
  }
  return made;
}

async function itemsOf(
  context: TextContext,
  prepared: readonly PreparedItem[],
  make: (item: Item, value: Json, index: number) => readonly MadeItem[],
): Promise<Item[]> {
  const jobs = prepared.flatMap(({ job }) => ('thrown' in job ? [] : [job]));
  const outcomes = await runTexts(context, jobs, !context.continueOnFail);
  let next = 0;
  return prepared.flatMap(({ item, index, job }) => {
    try {
      if ('thrown' in job) throw job.thrown;
      const outcome = outcomes[next++];
      if (outcome === undefined) throw new Error('The outcome of a job is missing.');
      if ('error' in outcome) throw new NodeFailure(outcome.error, { itemIndex: index });
      return pairedWith(index, make(item, outcome.value, index));
    } catch (thrown) {
      return failedItem(context, index, thrown);
    }
  });
}

async function attempt(prepare: () => TextJob | Promise<TextJob>): Promise<PreparedItem['job']> {
  try {
    return await prepare();
  } catch (thrown) {
    return { thrown };
  }
}

function charactersOf({ kind, input }: TextJob): number {
  switch (kind) {
    case 'extractHtml':
      return input.pages.reduce((sum, page) => sum + page.length, 0);
    case 'htmlToMarkdown':
      return input.html.length;
    case 'markdownToHtml':
      return input.markdown.length;
    case 'readXml':
      return input.text.length;
    case 'writeXml':
      return input.json.length;
  }
}
