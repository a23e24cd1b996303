export * from './alerter.ts'
export * from './receiver.ts'
export * from './settings.ts'
export * from './test-alert.ts'
