export { memoryDataTables } from './memory-data-tables';
export { memoryFiles } from './memory-files';
export { memoryFileArea } from './memory-file-area';
export {
  itemsOf,
  jsonOf,
  pass,
  runInPieces,
  runTest,
  type TestLink,
  type TestNode,
  type TestResult,
  type TestRun,
} from './run-test-workflow';
