import type { Json } from '@weft/node-catalogue';
import { extractContent } from '../../html/extract-content';
import { htmlOfMarkdown } from '../../markdown/html-of-markdown';
import { markdownOfHtml } from '../../markdown/markdown-of-html';
import { writeXml } from '../../xml/json-to-xml';
import { readXml } from '../../xml/xml-to-json';
import { reasonOf } from './format-error';
import type { TextJob, TextOutcome, TextsTask } from './tasks';

/** Time after which the outcomes so far are returned, so that a batch of slow strings does not time out. */
const SLICE_MS = 2_000;

/** Processes strings one after the other; an error affects only its own string. */
export function workOnTexts({ jobs, stopsAtError }: TextsTask): TextOutcome[] {
  const until = performance.now() + SLICE_MS;
  const outcomes: TextOutcome[] = [];
  for (const job of jobs) {
    const outcome = outcomeOf(job);
    outcomes.push(outcome);
    if (('error' in outcome && stopsAtError) || performance.now() >= until) break;
  }
  return outcomes;
}

function outcomeOf(job: TextJob): TextOutcome {
  try {
    return { value: workOn(job) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

function workOn({ kind, input }: TextJob): Json {
  switch (kind) {
    case 'extractHtml':
      return extractContent(input);
    case 'htmlToMarkdown':
      return markdownOfHtml(input);
    case 'markdownToHtml':
      return htmlOfMarkdown(input);
    case 'readXml':
      return readXml(input);
    case 'writeXml':
      return writeXml(input);
  }
}
