export { BOUNDS, SandboxFullError } from './bounds.ts'
export type { FileFetch } from './fetch-file.ts'
export { openSandbox, type Sandbox } from './sandbox.ts'
