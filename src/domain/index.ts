export * from './ids.ts'
export * from './secret-box.ts'
