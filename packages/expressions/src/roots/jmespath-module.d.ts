/** The part of the jmespath package that is used here: it has no types of its own that cover the syntax tree. */
declare module 'jmespath' {
  /** A node of a query's syntax tree. */
  export interface QueryNode {
    readonly type: string;
    readonly name?: unknown;
    readonly value?: unknown;
    readonly children?: unknown;
  }

  /** Parses a query. @throws Error if it is none */
  export function compile(query: string): QueryNode;

  /** Runs a query on data. @throws Error if the query is none, or does not fit the data */
  export function search(data: unknown, query: string): unknown;
}
