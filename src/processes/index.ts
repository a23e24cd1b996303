export {
  type Conversation,
  converse,
  type LimitPassed,
  restingProcesses,
  type TaskLimits,
} from './processes.ts'
export { serveParent, watchLimits } from './program.ts'
