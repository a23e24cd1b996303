// How the cards of a day of the month share its height. All sizes are pixels and those of card.module.css.

/** Below this a month is higher than the window. */
export const MIN_ROW_PX = 112
/** Of a week that is over and had no posts: the head of its days, and room for a click. */
const PAST_ROW_PX = 64
/** Of a row without the room for cards: its line, its padding, the head of its days, and the gap below that. */
const ROW_REST_PX = 28
/** One line for all, with the gap after it; the number of those without room is as high. */
const ONE_LINER_PX = 24
const MOST_LINES = 3

/** Cards with their line of meta: `line` of text each, `rest` around it, `gap` to the next one. */
const ROOMY = { line: 17, rest: 25, gap: 3 }
const TIGHT = { line: 16, rest: 17, gap: 1 }

/** How the cards of a day are drawn. */
interface DayForm {
  /** Lines of caption of each card that is drawn; 0: caption and time share the one line there is. */
  lines: readonly number[]
  tight: boolean
}

/**
 * How high the weeks of a month are, which share a height: those that are over and had no posts leave theirs to the others. Null:
 * as high as all that share it.
 */
export function lowWeeks(weeks: readonly { cards: number; isOver: boolean }[]): (number | null)[] {
  const isLow = weeks.map(({ cards, isOver }) => isOver && cards === 0)
  return isLow.map((low) => (low && isLow.includes(false) ? PAST_ROW_PX : null))
}

/** How high each of the others is then. */
export function sharedRowPx(low: readonly (number | null)[], height: number): number {
  const taken = low.reduce<number>((sum, px) => sum + (px ?? 0), 0)
  return Math.max(MIN_ROW_PX, Math.floor((height - taken) / low.filter((px) => px === null).length))
}

/** @param rowPx the height of the day */
export function formOf(cards: number, rowPx: number): DayForm {
  const room = rowPx - ROW_REST_PX
  const linesFor = ({ line, rest, gap }: typeof ROOMY) => Math.floor((room - gap * (cards - 1) - rest * cards) / line)
  const roomy = linesFor(ROOMY)
  const lines = roomy >= cards * 2 ? roomy : linesFor(TIGHT)
  // Those above get the lines that do not go round.
  if (lines >= cards) {
    const share = (card: number) => Math.floor(lines / cards) + (card < lines % cards ? 1 : 0)
    return {
      lines: Array.from({ length: cards }, (_, card) => Math.min(MOST_LINES, share(card))),
      tight: roomy < cards * 2,
    }
  }
  const fit = Math.floor((room + 2) / ONE_LINER_PX)
  return { lines: Array<number>(cards <= fit ? cards : Math.max(1, fit - 1)).fill(0), tight: true }
}
