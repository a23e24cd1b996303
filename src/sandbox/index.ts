export { BOUNDS, SandboxFullError } from './bounds.ts'
export type { FileFetch } from './fetch-file.ts'
export { DamagedJournalError } from './journal.ts'
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
