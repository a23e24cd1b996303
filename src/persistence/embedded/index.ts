export { describeEmbeddedDatabase } from './describe.ts'
export { type EmbeddedDatabase, openEmbeddedDatabase } from './open-embedded-database.ts'
