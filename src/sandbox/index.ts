export { DamagedJournalError } from './journal.ts'
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
