export { describeEmbeddedDatabase } from './describe.ts'
export { removeEmbeddedDatabase } from './home.ts'
export { type EmbeddedDatabase, openEmbeddedDatabase } from './open-embedded-database.ts'
