/** The part of the jmespath package that is used here: its own types do not cover the syntax tree. */
declare module 'jmespath' {
  /** A node of a query's syntax tree. */
  export interface QueryNode {
    readonly type: string;
    readonly name?: unknown;
    readonly value?: unknown;
    readonly children?: unknown;
  }

  /** Parses a query. @throws Error if it is invalid */
  export function compile(query: string): QueryNode;

  /** Runs a query on data. @throws Error if the query is invalid or does not fit the data */
  export function search(data: unknown, query: string): unknown;
}
