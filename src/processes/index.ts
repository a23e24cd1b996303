export { type FileToRead, lendFile } from './folders.ts'
export {
  type Conversation,
  converse,
  endProgram,
  restingProcesses,
  whoReads,
} from './processes.ts'
export { type LimitPassed, serveParent, type TaskLimits, watchLimits } from './program.ts'
