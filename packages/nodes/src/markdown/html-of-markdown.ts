import { Converter } from 'showdown';
import type { ShowdownOptions } from 'showdown';

/** Markdown and the options of its conversion. Omitted options have the library's defaults. */
export interface MarkdownTask {
  readonly markdown: string;
  readonly options: ShowdownOptions;
}

/** Converts Markdown to HTML. HTML within it is unchanged. */
export function htmlOfMarkdown({ markdown, options }: MarkdownTask): string {
  return new Converter(options).makeHtml(markdown);
}
