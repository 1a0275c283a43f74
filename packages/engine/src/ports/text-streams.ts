/** The text that a node streams. */
export interface StreamedText {
  readonly node: string;
  /** Id of the node in its workflow. */
  readonly nodeId: string;
  /** Number of earlier runs of the node. */
  readonly run: number;
  readonly itemIndex: number;
}

/** One text that a node writes while it runs, for readers that follow the run. Not stored; parts of it may be lost. */
export interface TextStream {
  write(text: string): void;
  /** The text is complete. */
  end(): void;
}

/** Streams of the text of a run. */
export interface TextStreams {
  /** Undefined if no reader follows the run, or too many streams are open. */
  open(text: StreamedText): TextStream | undefined;
}
