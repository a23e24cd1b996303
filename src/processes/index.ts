export { type FileToRead, lendFile } from './folders.ts'
export {
  type Conversation,
  converse,
  type LimitPassed,
  restingProcesses,
  type TaskLimits,
  whoReads,
} from './processes.ts'
export { serveParent, watchLimits } from './program.ts'
