/** Limits on one MCP server. */
export const MCP_LIMITS = {
  /** Bytes of one response, or of all messages of a stream of the older transport. */
  responseBytes: 4 * 1024 * 1024,
  /** Tools that a server may list. */
  tools: 500,
  /** Pages of the list. */
  pages: 50,
  /** Characters of the schema of one tool, as JSON. */
  schema: 64 * 1024,
  /** Characters of the description of one tool; longer ones are cut. */
  description: 8 * 1024,
  /** Maximum time of one request, in milliseconds. */
  timeoutMs: 15 * 60_000,
  /** Bytes of the body of a refusal that is read. */
  refusalBytes: 8 * 1024,
} as const;
