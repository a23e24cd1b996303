import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchTextOf } from '#domain'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { composeSearchTexts } from './composed-letters.ts'

/** A text as search saw it before: of a letter with its marks each had a number of its own. */
const before = (text: string): string =>
  [...text]
    .flatMap((each) => [...each.toUpperCase().toLowerCase()])
    .map((each) => (each === ' ' ? 'Z' : /[a-z0-9]/.test(each) ? each : `X${lettersOf(each)}Y`))
    .join('')
const lettersOf = (each: string) =>
  (each.codePointAt(0) ?? 0)
    .toString(16)
    .replace(/./g, (digit) => 'ABCDEFGHIJKLMNOP'.charAt(Number.parseInt(digit, 16)))

const WORDS = [
  'Größe für 2 Cafés\nund Straße',
  'ΤΑΪ́ΖΩ ταΐζω',
  'Tiê\u0301ng Việt',
  'Й ё',
  '한국어 카페',
  'パンが 100%_\\',
  'ǰẖ XYZ 🎉👩‍👩‍👧',
  'plain words',
  ' ',
]

test('captions that are there already are found in either way of writing', async () => {
  const { db, drop } = await createDatabaseBefore('9999')
  try {
    const [account, brand] = [randomUUID(), randomUUID()]
    await sql
      .raw(`
    insert into accounts (id, name, slug, plan) values ('${account}', 'A', 'a', 'PRO');
    insert into social_sets (id, account_id, name, timezone) values ('${brand}', '${account}', 'Brand', 'UTC')`)
      .execute(db)
    const forms = WORDS.flatMap((word) => [word, word.normalize('NFC'), word.normalize('NFD')])
    const sets = [...forms.map((caption) => [caption]), forms, ['']]
    const ids = sets.map(() => randomUUID())
    for (const [index, captions] of sets.entries()) {
      const id = ids[index] ?? ''
      const searchText = [...new Set(captions.map(before))].join('\n')
      await sql`insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval, search_text)
        values (${id}, ${account}, ${brand}, '2026-06-01T10:00:00Z', 'DRAFT', 'NONE', ${searchText})`.execute(db)
      for (const [position, caption] of captions.entries()) {
        await sql`insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
          values (${randomUUID()}, ${id}, ${brand}, ${position}, 'BLUESKY', ${caption}, '{}')`.execute(db)
      }
    }
    expect(await composeSearchTexts(db, { batch: 2 })).toBeGreaterThan(0)
    expect(await composeSearchTexts(db)).toBe(0)
    const rows = await db.selectFrom('all_post_sets').select(['id', 'search_text']).execute()
    const linesOf = (text = '') => new Set(text.split('\n'))
    for (const [index, captions] of sets.entries()) {
      const kept = rows.find(({ id }) => id === ids[index])?.search_text
      expect(linesOf(kept), JSON.stringify(captions)).toEqual(
        linesOf(searchTextOf(captions.map((caption) => ({ caption })))),
      )
    }
  } finally {
    await drop()
  }
})

test('a first comment of before is found, and what has none stays as it is', async () => {
  const { db, drop } = await createDatabaseBefore('9999')
  try {
    const [account, brand, commented, plain] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await sql
      .raw(`
    insert into accounts (id, name, slug, plan) values ('${account}', 'A', 'a', 'PRO');
    insert into social_sets (id, account_id, name, timezone) values ('${brand}', '${account}', 'Brand', 'UTC')`)
      .execute(db)
    for (const [id, firstComment] of [
      [commented, 'Quincunx'],
      [plain, ''],
    ] as const) {
      await sql`insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval, search_text)
        values (${id}, ${account}, ${brand}, '2026-06-01T10:00:00Z', 'DRAFT', 'NONE', ${searchTextOf([{ caption: 'Bread' }])})`.execute(
        db,
      )
      await sql`insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        values (${randomUUID()}, ${id}, ${brand}, 0, 'INSTAGRAM', 'Bread', ${JSON.stringify({ firstComment })})`.execute(
        db,
      )
    }
    expect(await composeSearchTexts(db)).toBe(1)
    const rows = await db.selectFrom('all_post_sets').select(['id', 'search_text']).execute()
    const textOf = (id: string) => rows.find((row) => row.id === id)?.search_text
    const fields = { firstComment: 'Quincunx' }
    expect([textOf(commented), textOf(plain)]).toEqual([
      searchTextOf([{ caption: 'Bread', fields }]),
      searchTextOf([{ caption: 'Bread' }]),
    ])
  } finally {
    await drop()
  }
})
