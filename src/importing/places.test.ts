import { expect, it } from 'vitest'
import { createPlaces } from './places.ts'

it('when the disk is full the oldest import goes on, unless it is the only one', () => {
  const places = createPlaces({ front: 6, frontOfAccount: 3, all: 48, allOfAccount: 8 })
  expect(places.toGiveUp()).toEqual([])
  const [first, second, third] = [places.take('one'), places.take('two'), places.take('one')]
  expect(places.toGiveUp()).toEqual([second, third])
  places.leave(second)
  places.leave(third)
  expect(places.toGiveUp()).toEqual([first])
})
