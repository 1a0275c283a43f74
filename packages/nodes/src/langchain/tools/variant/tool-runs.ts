import { runHttpRequestTool } from '../http-request/run-tool';
import type { ToolRuns } from './tool-registry';

/** Kinds that run differently as a tool. */
export const TOOL_RUNS: ToolRuns = { httpRequest: runHttpRequestTool };
