/** Runs what it is given one after the other, in the order in which it was asked; each has its own outcome. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
