import { Converter } from 'showdown';
import type { ShowdownOptions } from 'showdown';

/** A text in Markdown, and how it becomes HTML. Options that are not stated are those of the library. */
export interface MarkdownTask {
  readonly markdown: string;
  readonly options: ShowdownOptions;
}

/** Markdown as HTML. HTML within it is unchanged. */
export function htmlOfMarkdown({ markdown, options }: MarkdownTask): string {
  return new Converter(options).makeHtml(markdown);
}
