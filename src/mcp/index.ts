export { type AgentDeps, createAgentHandler, shown } from './handler.ts'
export { toolsFor } from './tools.ts'
