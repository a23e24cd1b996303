import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { DatabaseNotUsableError, migrate } from './migrate.ts'

test('a role that may not make extensions gets a message that says what to do, and goes on when it is done', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(inject('databaseAdminUrl'))
  await admin.connect()
  const url = new URL(inject('databaseAdminUrl'))
  url.pathname = `/${name}`
  const owner = new pg.Client(url.href)
  try {
    await admin.query(`create database ${name} template template0`)
    await admin.query(`create role ${name} login password 'secret'`)
    await owner.connect()
    await owner.query(`grant all on schema public to ${name}`)
    Object.assign(url, { username: name, password: 'secret' })
    const refused = migrate(url.href)
    await expect(refused).rejects.toThrow(DatabaseNotUsableError)
    await expect(refused).rejects.toThrow(/create extension pg_trgm; create extension btree_gin;$/)
    await owner.query('create extension pg_trgm; create extension btree_gin')
    await migrate(url.href)
  } finally {
    await owner.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role ${name}`)
    await admin.end()
  }
})
