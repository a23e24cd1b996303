/** Posts whose composer opens in place of their panel, once. */
const wanted = new Set<string>()

/** The panel of this post that is opened next begins with its composer: it was made to be changed. */
export const editNext = (id: string): void => void wanted.add(id)

/** Whether that was wanted of a post, which is over with the answer. */
export const takeEditNext = (id: string): boolean => wanted.delete(id)
