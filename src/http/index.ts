export type { Authenticate } from './credentials.ts'
export type { SandboxHandler } from './node-server.ts'
export { createServer, type ServerDeps } from './server.ts'
