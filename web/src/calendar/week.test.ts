import { expect, test } from 'vitest'
import { formOf, lowWeeks, MIN_ROW_PX, sharedRowPx } from './day-forms.ts'
import { minutesAt, weekAxis, yOf } from './week-axis.ts'

test('cards of a day share its height: the first ones get the lines that do not go round', () => {
  expect(formOf(1, 152)).toEqual({ lines: [3], tight: false })
  expect(formOf(2, 152)).toEqual({ lines: [2, 2], tight: false })
  expect(formOf(3, 152)).toEqual({ lines: [2, 1, 1], tight: true })
  expect(formOf(2, 127)).toEqual({ lines: [2, 2], tight: true })
  expect(formOf(3, 127).lines).toHaveLength(3)
  expect(formOf(4, 152).lines).toEqual([0, 0, 0, 0])
})

test('of a full day as many are drawn as leave room for the number of the others', () => {
  expect(formOf(7, 152).lines).toHaveLength(4)
  expect(formOf(7, 127).lines).toHaveLength(3)
  expect(formOf(100, MIN_ROW_PX).lines).toHaveLength(2)
  expect(formOf(7, 400).lines).toHaveLength(7)
})

test('weeks that are over and had no posts are low, and the others share what they leave', () => {
  const week = (cards: number, isOver: boolean) => ({ cards, isOver })
  const low = lowWeeks([week(0, true), week(2, true), week(0, true), week(3, false), week(0, false)])
  expect(low).toEqual([64, null, 64, null, null])
  expect(sharedRowPx(low, 728)).toBe(200)
  expect(sharedRowPx(low, 300)).toBe(MIN_ROW_PX)
  // A month that had none at all is shared evenly.
  expect(lowWeeks([week(0, true), week(0, true)])).toEqual([null, null])
})

const nine = { minutes: 9 * 60, height: 74 }

test('an hour is as high as the cards of its fullest day, and every card begins at its time', () => {
  const axis = weekAxis([[nine, { minutes: 9 * 60 + 30, height: 148 }], [nine], []])
  expect(yOf(axis, 9 * 60 + 30) - yOf(axis, 9 * 60)).toBe(74)
  expect(yOf(axis, 10 * 60) - yOf(axis, 9 * 60 + 30)).toBe(148)
  expect(yOf(axis, 11 * 60) - yOf(axis, 10 * 60)).toBe(20)
})

test('cards of different days may be beside each other', () => {
  const axis = weekAxis([[nine], [{ minutes: 9 * 60 + 15, height: 74 }]])
  expect(yOf(axis, 9 * 60 + 15) - yOf(axis, 9 * 60)).toBe(5)
  expect(yOf(axis, 10 * 60) - yOf(axis, 9 * 60 + 15)).toBe(74)
})

test('without cards the hours fill the room that there is', () => {
  const axis = weekAxis([[], []], 720)
  expect(axis.height).toBe(720)
  expect(yOf(axis, 12 * 60)).toBe(360)
})

test('a place is a time again', () => {
  const axis = weekAxis([[nine], [{ minutes: 9 * 60 + 20, height: 74 }]])
  for (const minutes of [0, 1, 8 * 60 + 59, 9 * 60, 9 * 60 + 10, 9 * 60 + 20, 9 * 60 + 50, 24 * 60]) {
    expect(minutesAt(axis, yOf(axis, minutes))).toBeCloseTo(minutes, 6)
  }
  expect(minutesAt(axis, -5)).toBe(0)
  expect(minutesAt(axis, axis.height + 5)).toBe(24 * 60)
})
