export * from './read-config.ts'
export * from './secret-key.ts'
export { SETTINGS } from './settings.ts'
export { threadPoolSize, widenThreadPool } from './thread-pool.ts'
