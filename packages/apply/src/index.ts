export {
  beforeApps,
  planApps,
  type AppFile,
  type AppPlan,
  type AppPruning,
  type AppStep,
  type ListedApp,
} from './apps';
export { diffDefinitions, diffJson, textOfDifferences, type Difference, type DiffOptions } from './diff';
export { keyOfPath, textOfError, type FileError, type WorkflowDocument } from './document';
export { isObject, type Json, type JsonObject } from './json';
export { hasDrifted, matchDocuments, type ListedWorkflow, type Manager, type Matched } from './match';
export {
  planWorkflows,
  type Checked,
  type CheckResult,
  type Conflict,
  type ConflictReason,
  type FieldNote,
  type Note,
  type Plan,
  type PlanOptions,
  type Step,
} from './plan';
export { duplicateKeys, parseYaml, readDocuments, type ReadDocuments } from './read-documents';
export {
  credentialsByName,
  fileOf,
  toYaml,
  writeDocuments,
  type DocumentHead,
  type FileFormat,
} from './write-document';
