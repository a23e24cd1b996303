import { expect, test } from 'vitest'
import { queryOf, readPlace } from './address.ts'

test('a place is its query, both ways', () => {
  const place = { view: 'week', date: '2030-06-12', post: 'p1', waiting: true, brand: 'b1' } as const
  expect(readPlace(queryOf(place))).toEqual(place)
  const start = { view: 'month', date: null, post: null, waiting: false, brand: null } as const
  expect(readPlace(queryOf(start))).toEqual(start)
})

test('what a query has that the page does not know is left out', () => {
  expect(readPlace('?view=year&waiting=yes&x=1')).toEqual(readPlace(''))
})

test('the query of a mail opens its post', () => {
  expect(readPlace('?post=0190-a')).toMatchObject({ post: '0190-a', view: 'month' })
})
