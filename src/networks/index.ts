export * from './network.ts'
export * from './toolkit/http.ts'
export * from './toolkit/simulation.ts'
